/** Adult thumbnails are neither shown nor requested until the visitor confirms their age. */
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

interface SavedVideos {
  ana: Account
  /** A word that appears in the titles of these videos only. */
  word: string
  collection: number
  channel: number
  adult: Bookmark
  /** A second adult bookmark. */
  other: Bookmark
  sfw: Bookmark
  adultPictures: string[]
}

/** Saves adult and other videos in one channel and waits until all their thumbnails are stored. */
async function saveVideos(site: Site, web: FakeWebsites): Promise<SavedVideos> {
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
  const bookmarks: Bookmark[] = []
  for (const id of ids) {
    await expect(async () => {
      const bookmark = await call(httpTransport(site), getBookmark, { params: { id } })
      expect(bookmark.video.thumbnail_url).not.toBeNull()
      bookmarks.push(bookmark)
    }).toPass({ intervals: [200] })
  }
  const [sfw, adult, other] = bookmarks
  if (vault === undefined || sfw === undefined || adult === undefined || other === undefined)
    throw new Error('no bookmark was saved')
  const adultPictures = bookmarks
    .filter(({ video }) => video.orientation !== 'sfw')
    .flatMap(({ video }) => [video.thumbnail_url, video.thumbnail_large_url])
    .filter((url) => url !== null)
  // Each of the three thumbnails has two sizes, with an address of its own.
  expect(new Set(adultPictures).size).toBe(6)
  return { ana, word, collection: vault.id, channel: channel_id, adult, other, sfw, adultPictures }
}

/** Returns the distance from the top of the document in pixels, independent of scrolling. */
const topEdge = (locator: Locator) =>
  locator.evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY))

/** Returns a growing list of the `/media/` paths that the page requests from now on. */
function requestedPictures(page: Page): string[] {
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/media/')) requested.push(pathname)
  })
  return requested
}

const label = '<meta name="rating" content="RTA-5042-1996-1400-1577-RTA"'

/** Path, whether adult thumbnails are concealed there, whether the page has an adult rating label. */
type ConcealingPage = [path: string, covered: boolean, labelled: boolean]

/** Visits pages and checks that neither their HTML nor the visitor sees an adult thumbnail. */
async function expectConcealed(page: Page, adultPictures: string[], pages: ConcealingPage[]): Promise<void> {
  for (const [path, covered, labelled] of pages) {
    const html = (await (await page.goto(path))?.text()) ?? ''
    expect(html, path).toContain('<main')
    expect(
      adultPictures.filter((picture) => html.includes(picture.replace('/media/', ''))),
      path,
    ).toEqual([])
    expect(html.includes(label), `${path} is labelled`).toBe(labelled)
    // Scrolling brings lazy images into view and triggers preloading.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await waitForIdle(page)
    if (covered) await expect(page.getByText('18+', { exact: true }).first(), path).toBeAttached()
    else await expect(page.getByText('18+', { exact: true }), path).toHaveCount(0)
    if (!labelled && !covered) await expect(page.getByText('Late at night'), path).toHaveCount(0)
  }
}

test('adult thumbnails are neither in any page nor requested until a visitor confirms their age', async ({
  page,
  site,
  websites: web,
}) => {
  test.slow()
  const { ana, word, collection, channel, adult, sfw, adultPictures } = await saveVideos(site, web)
  const requested = requestedPictures(page)
  const user = `/users/${ana.username}`
  const inCollection = `?tab=collections&collection=${collection}`
  await call(
    httpTransport(site),
    toggleLike,
    { params: { id: adult.video.id } },
    await logInForToken(site, ana),
  )

  const pages: ConcealingPage[] = [
    ['/', false, false],
    ['/explore', true, true],
    [`/explore?q=${word}`, true, true],
    [`/explore?tag=${word}`, true, true],
    ['/explore?orientation=gay', true, true],
    ['/explore?orientation=sfw', false, false],
    [`/explore?sort=random&seed=7&q=${word}`, true, true],
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
  await expectConcealed(page, adultPictures, pages)
  expect(requested).toContain(sfw.video.thumbnail_url)
  expect(requested.filter((path) => adultPictures.includes(path))).toEqual([])
})

test('a visitor confirms their age once, which moves nothing on the page', async ({
  page,
  site,
  websites: web,
}) => {
  const { word, adult, sfw, adultPictures } = await saveVideos(site, web)
  const requested = requestedPictures(page)
  await expectConcealed(page, adultPictures, [
    ['/', false, false],
    [`/explore?q=${word}`, true, true],
    [`/bookmarks/${adult.id}`, true, true],
  ])
  expect(requested).toContain(sfw.video.thumbnail_url)
  expect(requested.filter((path) => adultPictures.includes(path))).toEqual([])

  // Confirming and withdrawing must not move the content below the player.
  await page.goto(`/bookmarks/${adult.id}`)
  await expectAccessible(page)
  const more = page.getByRole('heading', { name: 'More like this' })
  const before = await topEdge(more)
  await page.getByRole('button', { name: "I'm 18 or older", exact: true }).click()
  await expect.poll(() => requested).toContain(adult.video.thumbnail_large_url)
  await expect.poll(() => topEdge(more)).toBe(before)
  await page.getByRole('button', { name: 'Hide adult content' }).click()
  await expect(page.getByText('Adult content hidden.')).toBeVisible()
  await expect(page.getByRole('button', { name: "I'm 18 or older", exact: true })).toBeVisible()
  requested.length = 0

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
    await expect.poll(() => requested).toContain(adult.video.thumbnail_url)
    await expect.poll(() => topEdge(card)).toBe(top)
    if (width === 390) await back.click()
  }
  // The confirmation is stored: after a reload nothing asks again, not even until hydration.
  await page.reload()
  expect(await page.getByText('Adult thumbnails are').isVisible()).toBe(false)
  await expect(page.locator('article .adult-cover')).toHaveCount(0)
})

test('with the SFW filter, adult content never appears, not even while a page loads', async ({
  page,
  site,
  websites: web,
}) => {
  const { ana, adultPictures } = await saveVideos(site, web)
  await page.goto('/explore')
  await page.getByRole('button', { name: "I'm 18+. Show them" }).click()
  await page.getByRole('combobox', { name: 'Orientation' }).selectOption('sfw')
  await expect(page).toHaveURL('/explore?orientation=sfw')
  // The pictures that were just shown may still be requested until the list is replaced.
  await expect(page.getByText('Late at night')).toHaveCount(0)
  await waitForIdle(page)
  const requested = requestedPictures(page)
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
  // The filter also applies to navigation without a page load.
  await page.getByRole('link', { name: 'Explore' }).first().click()
  await expect(page).toHaveURL('/explore?orientation=sfw')
  await waitForIdle(page)
  expect(requested.filter((path) => adultPictures.includes(path))).toEqual([])
})

test('adult thumbnails of own content are concealed in notifications, trash, selection and cover choice', async ({
  page,
  site,
  websites: web,
}) => {
  const { ana, adult, other, collection, adultPictures } = await saveVideos(site, web)
  const [token, bob] = [
    await logInForToken(site, ana),
    await logInForToken(site, await createAccount(site, 'bob')),
  ]
  await call(httpTransport(site), toggleLike, { params: { id: adult.video.id } }, bob)
  await call(httpTransport(site), trashBookmark, { params: { id: other.id } }, token)
  const requested = requestedPictures(page)
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
  expect(requested.filter((path) => adultPictures.includes(path))).toEqual([])
  await preview.getByRole('button', { name: "I'm 18 or older" }).click()
  await expect(preview.getByRole('button', { name: /Load player/ })).toBeFocused()
})

test('the focus moves to the first bookmark when the notice above it is dismissed', async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  const video = {
    source_url: `https://films.example.org/${ana.username}/night`,
    title: 'Night',
    orientation: 'bi' as const,
  }
  const token = await logInForToken(site, ana)
  const [vault] = (await call(httpTransport(site), listCollections, { query: {} }, token)).results
  const body = { video, bookmark: { collection_id: vault?.id ?? 0 } }
  await call(httpTransport(site), saveBookmark, { body }, token)
  await page.goto(`/users/${ana.username}`)
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(page.getByText('Adult thumbnails are')).toBeHidden()
  await expect(page.getByRole('link', { name: 'Night' })).toBeFocused()
})
