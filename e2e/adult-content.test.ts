/** Pictures of adult content: nowhere, not even asked for, until somebody says that they are old enough. */
import type { Locator, Page } from '@playwright/test'
import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, getBookmark, saveBookmark, type VideoInput } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import type { FakeWebsites } from './fake-websites.ts'
import { type Account, expect, expectAccessible, test, uniqueName, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

interface Kept {
  ana: Account
  /** A word that only the titles of these videos hold. */
  word: string
  collection: number
  channel: number
  adult: Bookmark
  /** Another adult one. */
  other: Bookmark
  sfw: Bookmark
  adultPictures: string[]
}

/** Somebody keeps adult videos and others beside each other; every picture is there. */
async function saveTo(site: Site, web: FakeWebsites): Promise<Kept> {
  const ana = await createAccount(site, 'ana')
  const token = await logInForToken(site, ana)
  const word = uniqueName('harbour')
  const [vault] = (await call(httpTransport(site), listCollections, { query: {} }, token)).results
  const channel_id = vault?.channels[0]?.id ?? 0
  const save = async (n: number, orientation: NonNullable<VideoInput['orientation']>) => {
    const video = {
      source_url: `https://films.example.org/${ana.username}/${n}`,
      thumbnail_url: web.pictureUrl(`${ana.username}-${n}`),
      title: `${orientation === 'sfw' ? 'Fit for all' : 'Late at night'} ${n} ${word}`,
      orientation,
      tags: [word],
    }
    const { id } = await call(
      httpTransport(site),
      saveBookmark,
      { body: { video, bookmark: { channel_id } } },
      token,
    )
    return id
  }
  const ids = [
    await save(1, 'sfw'),
    await save(2, 'gay'),
    await save(3, 'gay'),
    await save(4, 'sfw'),
    await save(5, 'trans'),
  ]
  const kept: Bookmark[] = []
  for (const id of ids) {
    await expect(async () => {
      const bookmark = await call(httpTransport(site), getBookmark, { params: { id } })
      expect(bookmark.video.thumbnail_url).not.toBeNull()
      kept.push(bookmark)
    }).toPass({ intervals: [200] })
  }
  const [sfw, adult, other] = kept
  if (vault === undefined || sfw === undefined || adult === undefined || other === undefined)
    throw new Error('nothing was kept')
  const adultPictures = kept
    .filter(({ video }) => video.orientation !== 'sfw')
    .flatMap(({ video }) => [video.thumbnail_url, video.thumbnail_large_url])
    .filter((url) => url !== null)
  // So small that both sizes are one.
  expect(new Set(adultPictures).size).toBe(3)
  return { ana, word, collection: vault.id, channel: channel_id, adult, other, sfw, adultPictures }
}

/** Pixels from the top of the page, wherever it is scrolled to. */
const topEdge = (locator: Locator) =>
  locator.evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY))

/** What of `/media/` a page has asked for from now on. */
function requestedPictures(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/media/')) asked.push(pathname)
  })
  return asked
}

const label = '<meta name="rating" content="RTA-5042-1996-1400-1577-RTA"'

test('no page that a visitor opens holds an adult picture or asks for one, until they say that they are of age', async ({
  page,
  site,
  websites: web,
}) => {
  test.slow()
  const { ana, word, collection, channel, adult, sfw, adultPictures } = await saveTo(site, web)
  const asked = requestedPictures(page)
  const user = `/users/${ana.username}`
  const inCollection = `?tab=collections&collection=${collection}`
  await call(
    httpTransport(site),
    toggleLike,
    { params: { id: adult.video.id } },
    await logInForToken(site, ana),
  )

  /** Path, whether pictures are covered there, whether it is labelled as adult. */
  const pages: [path: string, covered: boolean, labelled: boolean][] = [
    ['/', false, false],
    ['/explore', true, true],
    [`/explore?q=${word}`, true, true],
    [`/explore?tag=${word}`, true, true],
    ['/explore?orientation=gay', true, true],
    ['/explore?orientation=sfw', false, false],
    ['/explore?sort=random&seed=7', true, true],
    [`/bookmarks/${adult.id}`, true, true],
    [`/bookmarks/${adult.id}?collection=${collection}`, true, true],
    [`/bookmarks/${sfw.id}`, false, false],
    [`/bookmarks/${sfw.id}?channel=${channel}`, true, false],
    [user, true, true],
    [`${user}?orientation=sfw`, false, false],
    [`${user}?tab=liked`, true, true],
    [`${user}?tab=collections`, true, false],
    [`${user}${inCollection}`, true, true],
    [`${user}${inCollection}&channel=${channel}`, true, true],
    [`/collections/${collection}`, true, true],
    [`/channels/${channel}`, true, true],
  ]
  for (const [path, covered, labelled] of pages) {
    const html = (await (await page.goto(path))?.text()) ?? ''
    expect(html, path).toContain('<main')
    expect(
      adultPictures.filter((picture) => html.includes(picture.replace('/media/', ''))),
      path,
    ).toEqual([])
    expect(html.includes(label), `${path} is labelled`).toBe(labelled)
    // All of it comes near, and what is loaded ahead is.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await waitForIdle(page)
    if (covered) await expect(page.getByText('18+', { exact: true }).first(), path).toBeAttached()
    else await expect(page.getByText('18+', { exact: true }), path).toHaveCount(0)
    if (!labelled && !covered) await expect(page.getByText('Late at night'), path).toHaveCount(0)
  }
  expect(asked).toContain(sfw.video.thumbnail_url)
  expect(asked.filter((path) => adultPictures.includes(path))).toEqual([])

  // The player's place, and the pictures below it, take nothing else's.
  await page.goto(`/bookmarks/${adult.id}`)
  await expectAccessible(page)
  const more = page.getByRole('heading', { name: 'More like this' })
  const before = await topEdge(more)
  await page.getByRole('button', { name: "I'm 18 or older", exact: true }).click()
  await expect.poll(() => asked).toContain(adult.video.thumbnail_large_url)
  await expect.poll(() => topEdge(more)).toBe(before)
  await page.getByRole('button', { name: 'Hide adult content' }).click()
  await expect(page.getByText('Adult content hidden.')).toBeVisible()
  await expect(page.getByRole('button', { name: "I'm 18 or older", exact: true })).toBeVisible()
  asked.length = 0

  const card = page.getByRole('article').first()
  await page.goto(`/explore?q=${word}`)
  await expectAccessible(page)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const top = await topEdge(card)
    await page.getByRole('button', { name: "I'm 18+. Show them" }).click()
    const back = page.getByRole('button', { name: 'Hide adult thumbnails' })
    await expect(back).toBeFocused()
    await expect(page.locator('article .adult-cover')).toHaveCount(0)
    await expect.poll(() => asked).toContain(adult.video.thumbnail_url)
    await expect.poll(() => topEdge(card)).toBe(top)
    if (width === 390) await back.click()
  }
  // Said once: nothing asks again, and nothing that asked goes away as the page comes alive.
  await page.reload()
  expect(await page.getByText('Adult thumbnails are').isVisible()).toBe(false)
  await expect(page.locator('article .adult-cover')).toHaveCount(0)
})

test('who filters for what is fit for all is shown nothing else, not for a moment', async ({
  page,
  site,
  websites: web,
}) => {
  const { ana, adultPictures } = await saveTo(site, web)
  await page.goto('/explore')
  await page.getByRole('button', { name: "I'm 18+. Show them" }).click()
  await page.getByRole('combobox', { name: 'Orientation' }).selectOption('sfw')
  await expect(page).toHaveURL('/explore?orientation=sfw')
  const asked = requestedPictures(page)
  for (const path of [
    '/explore',
    '/explore?page=1&orientation=all',
    `/users/${ana.username}`,
    `/users/${ana.username}?tab=liked`,
  ]) {
    await page.goto(path)
    await expect(page).toHaveURL(/[?&]orientation=sfw/)
    await waitForIdle(page)
    await expect(page.getByText('Late at night')).toHaveCount(0)
  }
  // On the way inside of the site as well.
  await page.getByRole('link', { name: 'Explore' }).first().click()
  await expect(page).toHaveURL('/explore?orientation=sfw')
  await waitForIdle(page)
  expect(asked.filter((path) => adultPictures.includes(path))).toEqual([])
})

test('what is one’s own is covered too: notices, trash, what is picked and what stands for a collection', async ({
  page,
  site,
  websites: web,
}) => {
  const { ana, adult, other, collection, adultPictures } = await saveTo(site, web)
  const [token, bob] = [
    await logInForToken(site, ana),
    await logInForToken(site, await createAccount(site, 'bob')),
  ]
  await call(httpTransport(site), toggleLike, { params: { id: adult.video.id } }, bob)
  await call(httpTransport(site), trashBookmark, { params: { id: other.id } }, token)
  const asked = requestedPictures(page)
  await openSignedIn(page, site, ana, '/notifications')
  const adultCover = page.getByText('18+', { exact: true }).first()
  await expect(page.getByText(/liked/).first()).toBeVisible()
  await expect(adultCover).toBeVisible()
  await page.goto('/trash')
  await expect(adultCover).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/users/${ana.username}`)
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Select bookmarks' })).toBeVisible()
  await expect(adultCover).toBeVisible()
  await page.goto(`/collections/${collection}`)
  await page.getByRole('button', { name: /^More options for / }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('group', { name: 'Cover' }).getByText('18+').first()).toBeVisible()
  await page.goto('/bookmarks/create')
  await page.getByLabel('Embed URL').fill('https://player.example.org/embed/1')
  await page.getByRole('combobox', { name: 'Orientation' }).selectOption('gay')
  const preview = page.getByRole('article', { name: 'Preview' })
  await expect(preview.getByText('This video contains adult content.')).toBeVisible()
  expect(asked.filter((path) => adultPictures.includes(path))).toEqual([])
  await preview.getByRole('button', { name: "I'm 18 or older" }).click()
  await expect(preview.getByRole('button', { name: /Load player/ })).toBeFocused()
})
