/** Users search and filter their own bookmarks: on the profile, in a collection and in the trash, by mouse, keyboard and touch. */
import type { Page } from '@playwright/test'
import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { collectBookmark, toggleWatchLater } from '@reelmark/contract/collect.ts'
import {
  createChannel,
  createCollection,
  listCollections,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, activate, expect, expectAccessible, screens, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Saves `Open sea` with a tag, `Closed bay`, which is private and has a note, and `Old pond`, which is in the trash. */
async function saveFilms(site: Site, owner: Account) {
  const http = httpTransport(site)
  const token = await logInForToken(site, owner)
  const { id } = await call(http, createCollection, { body: { name: 'Waters' } }, token)
  const { id: channel_id } = await call(http, createChannel, { params: { id }, body: { name: 'All' } }, token)
  const save = (title: string, tags: string[], bookmark = {}) =>
    call(
      http,
      saveBookmark,
      {
        body: {
          video: {
            source_url: `https://films.example.org/${owner.username}/${encodeURIComponent(title)}`,
            title,
            tags,
            orientation: 'sfw',
          },
          bookmark: { channel_id, ...bookmark },
        },
      },
      token,
    )
  const open = await save('Open sea', ['blue'])
  await save('Closed bay', [], { access: 'private', private_note: 'present for Kim' })
  const old = await save('Old pond', [])
  await call(http, trashBookmark, { params: { id: old.id } }, token)
  return { collection: id, channel: channel_id, open: open.id, video: open.video.id, token, save }
}

/** Saves a film that every filter finds, and for each filter one that only this filter leaves out. Returns ids by title. */
async function saveVariants(site: Site, owner: Account): Promise<Map<string, number>> {
  const http = httpTransport(site)
  const token = await logInForToken(site, owner)
  const { results } = await call(http, listCollections, { query: {} }, token)
  const { id: waters } = await call(http, createCollection, { body: { name: 'Waters' } }, token)
  const ids = new Map<string, number>()
  const save = async (title: string, video = {}, collection_id = waters, host = 'films.example.org') => {
    const source_url = `https://${host}/${owner.username}/${encodeURIComponent(title)}`
    const body = {
      video: { source_url, title, duration: 600, orientation: 'sfw' as const, ...video },
      bookmark: { collection_id },
    }
    const saved = await call(http, saveBookmark, { body }, token)
    ids.set(title, saved.id)
    return saved.video.id
  }
  await save('Matching')
  await save('Short', { duration: 60 })
  await save('Long', { duration: 3600 })
  await save('Elsewhere', {}, waters, 'other.example.org')
  await save('Other shelf', {}, results[0]?.id)
  await save('Tagged', { tags: ['blue'] })
  await save('Pictured', { thumbnail_url: 'https://films.example.org/picture.png' })
  await save('Playable', { embed_url: 'https://player.example.org/1' })
  await call(http, markWatched, { params: { id: await save('Watched') } }, token)
  return ids
}

const chip = (page: Page, name: string) => page.getByRole('link', { name: `${name} Remove` })

for (const { name, device } of screens) {
  test.describe(name, () => {
    test.use(device)

    test('own bookmarks are found by private notes and filters, which are removed one by one', async ({
      page,
      site,
    }) => {
      const owner = await createAccount(site, 'vera')
      const { collection, open } = await saveFilms(site, owner)
      await openSignedIn(page, site, owner, `/users/${owner.username}`)
      // Phones keep the field behind a button of the row of tools.
      if (device.isMobile) await page.getByRole('button', { name: 'Search and filters' }).tap()
      const field = page
        .getByRole('combobox', { name: 'Search bookmarks' })
        .or(page.getByLabel('Search bookmarks'))
      await field.fill('kim')
      await field.press('Enter')
      await expect(page).toHaveURL(/\?q=kim$/)
      await expect(page.getByText('Closed bay').first()).toBeVisible()
      await expect(page.getByText('Open sea')).toHaveCount(0)

      await activate(page.getByRole('button', { name: 'Filters', exact: true }), 'mouse')
      const dialog = page.getByRole('dialog', { name: 'Filters' })
      await dialog.getByLabel('Tag', { exact: true }).fill('Blue')
      await dialog.getByLabel('Access').selectOption('public')
      await expectAccessible(page)
      await activate(dialog.getByRole('button', { name: 'Apply' }), 'mouse')
      await expect(page).toHaveURL(/q=kim&tag=blue&access=public/)
      await expect(page.getByText('No bookmark in this list matches “kim” and the filters.')).toBeVisible()
      await expectAccessible(page)
      await activate(chip(page, 'Search: kim'), 'Enter')
      await expect(page.getByText('Open sea').first()).toBeVisible()
      await activate(chip(page, 'Tag: blue'), 'Enter')
      await activate(chip(page, 'Public'), 'mouse')
      await expect(page.getByText('Closed bay').first()).toBeVisible()

      await page.goto(`/bookmarks/${open}`)
      const tag = page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'blue' })
      // The page is rendered as to a visitor, whose tags lead to Explore, until the owner's data is loaded.
      await expect(tag).toHaveAttribute('href', `/users/${owner.username}?tag=blue`)
      await activate(tag, 'mouse')
      await expect(page).toHaveURL(`/users/${owner.username}?tag=blue`)
      await expect(chip(page, 'Tag: blue')).toBeVisible()

      await page.goto(`/collections/${collection}?q=present`)
      await expect(page.getByText('Closed bay').first()).toBeVisible()
      await expect(page.getByText('Open sea')).toHaveCount(0)

      await page.goto('/trash')
      const search = page.getByLabel('Search the trash')
      await search.fill('lake')
      await search.press('Enter')
      await expect(page.getByText('No bookmark in this list matches “lake”.')).toBeVisible()
      await activate(page.getByRole('link', { name: 'Clear search and filters' }), 'Enter')
      await expect(page.getByText('Old pond').first()).toBeVisible()
      await expect(page).toHaveURL('/trash')
    })

    test('the chips of filters do not move the list when they are loaded', async ({ page, site }) => {
      const owner = await createAccount(site, 'vera')
      const { collection } = await saveFilms(site, owner)
      await openSignedIn(page, site, owner, '/')
      const card = page.getByRole('main').getByRole('article').first()
      const paths = [
        `/collections/${collection}?orientation=sfw`,
        `/collections/${collection}?tag=blue&saved_after=2025-01-01&access=public`,
        `/users/${owner.username}?tag=blue&access=public`,
      ]
      for (const path of paths) {
        await test.step(path, async () => {
          let load = () => {}
          const isReleased = new Promise<void>((resolve) => {
            load = resolve
          })
          // The scripts of parts that are loaded after the page.
          await page.route(/\/assets\/(deferred|list-tools|filter-tools)-[^/]+\.js$/, async (route) => {
            await isReleased
            await route.continue()
          })
          // Not `goto`, which waits for them.
          await page.evaluate((address) => location.assign(address), path)
          await expect(page).toHaveURL(path)
          await expect(card).toBeVisible()
          await expect(chip(page, 'Public').or(chip(page, 'Orientation: SFW'))).toHaveCount(0)
          const before = (await card.boundingBox())?.y
          load()
          await expect(chip(page, 'Public').or(chip(page, 'Orientation: SFW'))).toBeVisible()
          await expect(page.getByRole('button', { name: 'Select', exact: true })).toBeVisible()
          expect((await card.boundingBox())?.y).toBe(before)
          await page.unrouteAll()
        })
      }
    })

    test('every filter of the library is set in the dialog and removed by its chip', async ({
      page,
      site,
    }) => {
      const owner = await createAccount(site, 'vera')
      await saveVariants(site, owner)
      await openSignedIn(page, site, owner, '/library')
      const titles = page.getByRole('article').getByRole('heading')
      await expect(titles).toHaveCount(9)
      const dialog = page.getByRole('dialog', { name: 'Filters' })
      const openFilters = () => activate(page.getByRole('button', { name: /^Filters/ }), 'Enter')
      const apply = () => activate(dialog.getByRole('button', { name: 'Apply' }), 'mouse')
      await openFilters()
      await dialog.getByLabel('Saved before').fill('2020-01-01')
      await apply()
      await expect(page.getByText('No bookmark in this list matches the filters.')).toBeVisible()
      await activate(chip(page, 'Saved before 2020-01-01'), 'mouse')
      await expect(titles).toHaveCount(9)

      await openFilters()
      await dialog.getByLabel('Shortest, in minutes').fill('5')
      await dialog.getByLabel('Longest, in minutes').fill('20')
      await dialog.getByLabel('Saved from').fill('2020-01-01')
      await dialog.getByLabel('Site').fill('films.example.org')
      await dialog.getByLabel('Watched').selectOption('Not watched')
      const collection = dialog.getByRole('combobox', { name: 'Collection' })
      await collection.fill('Wat')
      await activate(dialog.getByRole('option', { name: 'Waters' }), 'mouse')
      for (const name of ['Without tags', 'Without picture', 'Without player'])
        await dialog.getByRole('checkbox', { name }).check()
      await apply()
      await expect(page).toHaveURL(/min_duration=300/)
      await expect(titles).toHaveText(['Matching'])
      await expectAccessible(page)
      await activate(chip(page, 'Saved from 2020-01-01'), 'Enter')
      // Each of the other films lacks only what one of the filters asks for.
      const shown = ['Matching']
      for (const [label, title] of [
        ['At least 5:00', 'Short'],
        ['Site: films.example.org', 'Elsewhere'],
        ['Not watched', 'Watched'],
        ['Collection: Waters', 'Other shelf'],
        ['Without tags', 'Tagged'],
        ['Without picture', 'Pictured'],
        ['Without player', 'Playable'],
        ['At most 20:00', 'Long'],
      ] as const) {
        await activate(chip(page, label), 'mouse')
        await expect(titles.getByText(title, { exact: true })).toBeVisible()
        shown.push(title)
        await expect(titles).toHaveCount(shown.length)
      }
      await expect(page).toHaveURL('/library')
    })

    test('own bookmarks are found by an operator, and ordered by title, duration, saves and watching', async ({
      page,
      site,
    }) => {
      const [owner, other] = [await createAccount(site, 'vera'), await createAccount(site, 'ben')]
      const films = await saveVariants(site, owner)
      const theirs = await logInForToken(site, other)
      const { results } = await call(httpTransport(site), listCollections, { query: {} }, theirs)
      const body = { bookmark: films.get('Tagged') ?? 0, collection: results[0]?.id ?? 0 }
      await call(httpTransport(site), collectBookmark, { body }, theirs)
      await openSignedIn(page, site, owner, '/library')
      const titles = page.getByRole('article').getByRole('heading')
      const order = page.getByRole('combobox', { name: 'Order' })
      for (const [name, address, first] of [
        ['Title', 'title', 'Elsewhere'],
        ['Longest', 'longest', 'Long'],
        ['Shortest', 'shortest', 'Short'],
        ['Most saved', 'most_saved', 'Tagged'],
        ['Last watched', 'last_watched', 'Watched'],
      ] as const) {
        await order.selectOption(name)
        await expect(page).toHaveURL(`/library?sort=${address}`)
        await expect(titles.first()).toHaveText(first)
      }
      const field = page.getByLabel('Search your bookmarks')
      await activate(field, 'mouse')
      // The suggestions are loaded when the field is used.
      await expect(field).toHaveRole('combobox')
      await field.pressSequentially('lon')
      await activate(page.getByRole('option', { name: 'longer:' }), 'mouse')
      await field.pressSequentially('30m')
      await field.press('Enter')
      await expect(page).toHaveURL(/q=longer%3A30m/)
      await expect(titles).toHaveText(['Long'])
      await activate(chip(page, 'Search: longer:30m'), 'Enter')
      await expect(titles).toHaveCount(9)
    })

    test('searches in Liked, Watch Later, a channel and the trash leave what matches', async ({
      page,
      site,
    }) => {
      const owner = await createAccount(site, 'vera')
      const { video, channel, token, save } = await saveFilms(site, owner)
      const http = httpTransport(site)
      const lake = await save('Calm lake', [])
      for (const id of [video, lake.video.id]) {
        await call(http, toggleLike, { params: { id } }, token)
        await call(http, toggleWatchLater, { params: { id } }, token)
      }
      const well = await save('Dry well', [])
      await call(http, trashBookmark, { params: { id: well.id } }, token)
      await openSignedIn(page, site, owner, `/users/${owner.username}?tab=liked`)
      const main = page.getByRole('main')
      for (const [path, label, text, found, hidden] of [
        [null, 'Search liked videos', 'sea', 'Open sea', 'Calm lake'],
        ['/watch-later', 'Search this collection', 'sea', 'Open sea', 'Calm lake'],
        [`/channels/${channel}`, 'Search this channel', 'sea', 'Open sea', 'Calm lake'],
        ['/trash', 'Search the trash', 'well', 'Dry well', 'Old pond'],
      ] as const) {
        await test.step(label, async () => {
          if (path !== null) await page.goto(path)
          await expect(main.getByText(hidden).first()).toBeVisible()
          const button = page.getByRole('button', { name: 'Search and filters' })
          if (await button.isVisible()) await activate(button, 'mouse')
          const field = main.getByLabel(label)
          await field.fill(text)
          await field.press('Enter')
          await expect(page).toHaveURL(new RegExp(`[?&]q=${text}$`))
          await expect(main.getByText(hidden)).toHaveCount(0)
          await expect(main.getByText(found).first()).toBeVisible()
          await expect(chip(page, `Search: ${text}`)).toBeVisible()
        })
      }
    })

    test('a collection shows the order that its owner chose, and any other one, which its address names', async ({
      page,
      site,
    }) => {
      const owner = await createAccount(site, 'vera')
      const { collection, token } = await saveFilms(site, owner)
      const body = { list_order: 'oldest' as const }
      await call(httpTransport(site), updateCollection, { params: { id: collection }, body }, token)
      const path = `/collections/${collection}`
      const list = page.getByRole('region', { name: 'All bookmarks in this collection' })
      const titles = list.getByRole('article').getByRole('heading')
      const order = page.getByRole('combobox', { name: 'Order' })
      await openSignedIn(page, site, owner, path)
      await expect(titles).toHaveText(['Open sea', 'Closed bay'])
      await expect(order).toHaveValue('oldest')
      await order.selectOption('Newest first')
      await expect(page).toHaveURL(`${path}?sort=newest`)
      await expect(titles).toHaveText(['Closed bay', 'Open sea'])
      await expect(order).toHaveValue('newest')
      await order.selectOption('Manual order')
      await expect(page).toHaveURL(`${path}?sort=manual`)
      await order.selectOption('Oldest first')
      await expect(page).toHaveURL(path)
      await expect(titles).toHaveText(['Open sea', 'Closed bay'])
    })

    test('a collection, Watch Later, the trash and the library are filtered by orientation, which their addresses name', async ({
      page,
      site,
    }) => {
      const owner = await createAccount(site, 'vera')
      const { collection, video, token } = await saveFilms(site, owner)
      await call(httpTransport(site), toggleWatchLater, { params: { id: video } }, token)
      await openSignedIn(page, site, owner, `/collections/${collection}`)
      await activate(page.getByRole('button', { name: 'Filters', exact: true }), 'Enter')
      const dialog = page.getByRole('dialog', { name: 'Filters' })
      await expect(dialog.getByLabel('Access')).toBeVisible()
      await expect(dialog.getByLabel('Collection')).toHaveCount(0)
      await dialog.getByLabel('Orientation').selectOption('Gay')
      await expectAccessible(page)
      await activate(dialog.getByRole('button', { name: 'Apply' }), 'Enter')
      const noMatch = page.getByText('No bookmark in this list matches the filters.')
      for (const path of [`/collections/${collection}`, '/watch-later', '/trash', '/library']) {
        await test.step(path, async () => {
          if (path !== `/collections/${collection}`) await page.goto(`${path}?orientation=gay`)
          await expect(page).toHaveURL(/\?orientation=gay$/)
          await expect(noMatch).toBeVisible()
          await activate(chip(page, 'Orientation: Gay'), 'Enter')
          await expect(noMatch).toBeHidden()
          await expect(page).not.toHaveURL(/orientation/)
          await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeFocused()
        })
      }
    })
  })
}

test('many filters leave the search field of a list wide, and the other tools in its row', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const owner = await createAccount(site, 'vera')
  const filters = 'tag=animation&min_duration=60&max_duration=6000&watched=false&access=public'
  await openSignedIn(page, site, owner, `/users/${owner.username}?${filters}`)
  const field = await page.getByLabel('Search bookmarks').boundingBox()
  expect(field?.width).toBeGreaterThanOrEqual(224)
  const save = page.getByRole('button', { name: 'Save search' })
  await expect(save).toBeVisible()
  expect((await save.boundingBox())?.y).toBeLessThan((field?.y ?? 0) + (field?.height ?? 0))
  await expect(page.getByRole('list', { name: 'Active filters' }).getByRole('link')).toHaveCount(5)
})
