/** On phones, lists of videos begin near the top of the page and show their filters. */
import { collectBookmark, toggleWatchLater } from '@reelmark/contract/collect.ts'
import { createCollection } from '@reelmark/contract/collections.ts'
import { setPins } from '@reelmark/contract/pins.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { createAccount, logInForToken, openSignedIn, saveFilms } from './accounts.ts'
import { expect, test, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const bio = 'I collect films about machines and harbours, and about the people who work there. '.repeat(4)

test('the first card is within 300 px of the top on phones', async ({ page, otherPage, site }) => {
  const [ana, ben] = [await createAccount(site, 'ana'), await createAccount(site, 'ben')]
  const { bookmark, video } = await saveFilms(site, ana, 3)
  const http = httpTransport(site)
  const token = await logInForToken(site, ana)
  const description = 'What to watch on a rainy evening. '.repeat(6)
  const made = await call(http, createCollection, { body: { name: 'Evening films', description } }, token)
  await call(http, collectBookmark, { body: { bookmark, collection: made.id } }, token)
  await call(http, toggleWatchLater, { params: { id: video } }, token)
  await call(http, markWatched, { params: { id: video } }, token)
  await call(http, updateProfile, { params: { username: ana.username }, body: { bio } }, token)
  await openSignedIn(page, site, ana, '/')
  await openSignedIn(otherPage, site, ben, '/')

  const expectFirstCardNear = async (view: typeof page, path: string) => {
    await view.goto(path)
    const card = view.getByRole('main').getByRole('article').first()
    await expect(card).toBeVisible()
    // The tools above a list are loaded after the page.
    await waitForIdle(view)
    expect((await card.boundingBox())?.y, path).toBeLessThanOrEqual(300)
  }
  const profile = `/users/${ana.username}`
  const collection = `/collections/${made.id}`
  for (const path of ['/', '/explore', '/library', '/watch-later', '/history', profile, collection]) {
    await test.step(path, () => expectFirstCardNear(page, path))
  }
  for (const path of ['/explore', profile, collection]) {
    await test.step(`${path} for another user`, () => expectFirstCardNear(otherPage, path))
  }

  await test.step('pinned bookmarks and tools do not push the list of a profile down', async () => {
    await call(http, setPins, { body: { pins: [{ kind: 'bookmark', id: bookmark }] } }, token)
    await page.goto(profile)
    await expect(page.getByRole('region', { name: 'Pinned' }).getByRole('link')).toBeVisible()
    const list = page.getByRole('region', { name: 'Bookmarks' })
    await expect(list.getByRole('article').first()).toBeVisible()
    await waitForIdle(page)
    expect((await list.getByRole('article').first().boundingBox())?.y).toBeLessThanOrEqual(320)
    await expect(list.getByLabel('Orientation')).toBeHidden()
    await page.getByRole('button', { name: 'Search and filters' }).tap()
    await expect(list.getByLabel('Orientation')).toBeVisible()
    await page.getByRole('button', { name: 'more of the description' }).tap()
    await expect(page.getByRole('button', { name: 'less of the description' })).toBeVisible()
  })
})

test('the filters of a list are visible on phones without scrolling sideways', async ({ page, site }) => {
  const ana = await createAccount(site, 'ana')
  const { collection } = await saveFilms(site, ana, 1)
  await openSignedIn(page, site, ana, '/')
  const filters = 'host=films.example.org&min_duration=60&saved_after=2025-01-01'
  const lists = [
    '/explore',
    '/library',
    '/trash',
    `/users/${ana.username}`,
    `/users/${ana.username}?tab=liked`,
    `/collections/${collection}`,
  ]
  for (const list of lists) {
    await test.step(list, async () => {
      await page.goto(`${list}${list.includes('?') ? '&' : '?'}${filters}`)
      const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('link')
      await expect(chips).toHaveCount(3)
      for (const chip of await chips.all()) await expect(chip).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('button', { name: 'Filters (3)' })).toBeVisible()
    })
  }
})
