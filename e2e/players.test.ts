/** Players that fail, and the mini-player: imitations of other sites' players speak their documented messages. */

import type { Page } from '@playwright/test'
import { type Bookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollection } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import {
  type Account,
  expect,
  expectAccessible,
  freezeCountdowns,
  test,
  uniqueName,
  waitForIdle,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

const newVideoId = () =>
  Array.from({ length: 11 }, () => 'abcdefghijkmnopqrstuvwxyz'[Math.floor(Math.random() * 25)]).join('')

/** Creates a collection of videos by title, in this order: of YouTube, or with a link. */
async function createFilms(
  site: Site,
  owner: Account,
  videos: readonly (string | readonly [title: string, link: string])[],
) {
  const token = await logInForToken(site, owner)
  const collection = await call(
    httpTransport(site),
    createCollection,
    { body: { name: uniqueName('Night') } },
    { ...token, 'idempotency-key': uniqueName('collection') },
  )
  const films: Bookmark[] = []
  for (const entry of videos.toReversed()) {
    const youtube = `https://www.youtube.com/watch?v=${newVideoId()}`
    const [title, source_url] = typeof entry === 'string' ? [entry, youtube] : entry
    const video = { source_url, title, duration: 600, tags: ['night'] }
    const body = { video, bookmark: { collection_id: collection.id } }
    films.unshift(await call(httpTransport(site), saveBookmark, { body }, token))
  }
  return { collection, films, path: (index: number) => `/bookmarks/${films[index]?.id}` }
}

/** Imitates a YouTube player that plays and reports its time every 200 ms, and how often it was loaded. */
async function playingYoutube(page: Page): Promise<() => number> {
  let loads = 0
  await page.route('https://www.youtube-nocookie.com/**', (route) => {
    loads++
    return route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>player</title><p>A player</p><button>End</button><script>
const send = (message) => parent.postMessage(JSON.stringify(message), '*')
let time = 0
let isListening = false
addEventListener('message', ({ data }) => {
  if (JSON.parse(data).event !== 'listening' || isListening) return
  isListening = true
  send({ event: 'onStateChange', info: 1 })
  setInterval(() => send({ event: 'infoDelivery', info: { currentTime: (time += 0.2) } }), 200)
})
document.querySelector('button').onclick = () => send({ event: 'onStateChange', info: 0 })
</script></html>`,
    })
  })
  return () => loads
}

const frame = (page: Page) => page.locator('iframe')

for (const width of [390, 1280])
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 800 } })

    test('a player that shows no sign of life offers ways on', async ({ page, site }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const title = uniqueName('The silent one')
      const { path, films } = await createFilms(site, mara, [title])
      // The same work, saved from elsewhere.
      await createFilms(site, ana, [[title, `https://vimeo.com/${Math.floor(Math.random() * 1e8) + 1e8}`]])
      await openSignedIn(page, site, ana, path(0))
      await page.getByRole('button', { name: `Play ${title}` }).click()
      const player = page.getByRole('region', { name: 'Player' })
      await expect(player.getByText("This video isn't loading.", { exact: true })).toBeVisible({
        timeout: 30_000,
      })
      await expect(player.getByRole('link', { name: /^Watch on youtube\.com/ })).toHaveAttribute(
        'href',
        films[0]?.video.source_url ?? '',
      )
      await expect(player.getByRole('link', { name: 'Play from vimeo.com' })).toBeVisible()
      await expectAccessible(page)

      await player.getByRole('button', { name: 'Report broken link' }).click()
      const report = page.getByRole('dialog', { name: 'Report Video/Bookmark' })
      await expect(report.getByRole('radio', { name: "The video won't play" })).toBeChecked()
      await page.keyboard.press('Escape')
      await expect(report).toBeHidden()

      const loads = await playingYoutube(page)
      await player.getByRole('button', { name: 'Retry' }).click()
      await expect(player.getByText("This video isn't loading.", { exact: true })).toBeHidden()
      await expect.poll(loads).toBe(1)
    })

    test('a list skips a player that shows no sign of life', async ({ page, site }) => {
      const mara = await createAccount(site, 'mara')
      const { collection, path } = await createFilms(site, mara, ['The silent one', 'The next one'])
      const runCountdowns = await freezeCountdowns(page)
      await page.goto(`${path(0)}?collection=${collection.id}`)
      await page.getByRole('button', { name: 'Play The silent one' }).click()
      const player = page.getByRole('region', { name: 'Player' })
      await expect(player.getByRole('button', { name: 'Skip in 10 s' })).toBeVisible({ timeout: 30_000 })
      await runCountdowns(true)
      await expect(page).toHaveURL(new RegExp(path(1)), { timeout: 30_000 })
      await runCountdowns(false)
      await expect(frame(page)).toHaveAttribute('src', /autoplay=1/)
      const show = page.getByRole('button', { name: 'Show queue' })
      if (await show.isVisible()) await show.click()
      await expect(page.getByRole('listitem').getByText("Didn't play")).toBeVisible()
    })

    test('a player that reports an error says what is wrong', async ({ page, site }) => {
      const mara = await createAccount(site, 'mara')
      const { path } = await createFilms(site, mara, ['Only elsewhere'])
      await page.route('https://www.youtube-nocookie.com/**', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><title>player</title><script>addEventListener('message', ({ data }) => {
  if (data.includes('onError')) parent.postMessage('{"event":"onError","info":150}', '*')
})</script>`,
        }),
      )
      await page.goto(path(0))
      await page.getByRole('button', { name: 'Play Only elsewhere' }).click()
      const player = page.getByRole('region', { name: 'Player' })
      await expect(
        player.getByText('This video can only be watched on youtube.com.', { exact: true }),
      ).toBeVisible()
      await expect(frame(page)).toHaveAttribute('referrerpolicy', 'strict-origin-when-cross-origin')
      await expect(frame(page)).toHaveAttribute('src', new RegExp(`origin=${encodeURIComponent(site.url)}`))
      // Nothing on the page takes the referrer back, so that YouTube gets the origin and shows no error 153.
      await expect(page.locator('meta[name=referrer]')).toHaveCount(0)
      await expectAccessible(page)
      await player.getByRole('button', { name: 'Hide this message' }).click()
      await expect(player.getByRole('button')).toHaveCount(0)
    })

    test('a video plays on in the mini-player while browsing', { tag: '@essential' }, async ({
      page,
      site,
    }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const { collection, path } = await createFilms(site, mara, ['The long night', 'The morning'])
      const loads = await playingYoutube(page)
      await openSignedIn(page, site, ana, `/collections/${collection.id}`)
      // One click starts a collection.
      await page.getByRole('link', { name: 'Play all' }).click()
      await expect(page).toHaveURL(new RegExp(path(0)))
      await expect(frame(page)).toBeVisible()
      const stage = page.locator('.stage')
      await expect(async () => {
        expect(await frame(page).boundingBox()).toEqual(await stage.boundingBox())
      }).toPass()

      await page.getByRole('link', { name: 'Reelmark, home' }).click()
      const mini = page.getByRole('region', { name: 'Mini-player' })
      await expect(mini).toBeVisible()
      await expect(page.getByRole('searchbox').or(page.getByRole('combobox')).first()).toBeVisible()
      await expect(stage).toHaveCount(0)
      await expectAccessible(page)
      const box = await mini.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      if (width === 390) {
        // YouTube's terms require at least 200 px in both directions.
        const player = await frame(page).boundingBox()
        expect(Math.min(player?.width ?? 0, player?.height ?? 0)).toBeGreaterThanOrEqual(200)
        // The end of the page can be scrolled above it.
        await expect(async () => {
          await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
          const footer = await page.getByRole('contentinfo').boundingBox()
          expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + 1)
        }).toPass()
      }

      await page.keyboard.press('i')
      await expect(page).toHaveURL(new RegExp(path(0)))
      await expect(mini).toBeHidden()
      await expect(page.getByRole('region', { name: 'Player' })).toBeVisible()
      expect(loads()).toBe(1)

      // The list goes on in the mini-player.
      await page.getByRole('link', { name: 'Reelmark, home' }).click()
      await expect(mini).toBeVisible()
      await page.frameLocator('iframe').getByRole('button', { name: 'End' }).click()
      await expect(mini.getByRole('link', { name: 'Back to The morning' })).toBeVisible()
      await expect.poll(loads).toBe(2)
      await mini.getByRole('button', { name: 'Close the mini-player' }).click()
      await expect(frame(page)).toHaveCount(0)
    })
  })

for (const [width, height, minPlayer] of [
  [768, 1024, 740],
  [1024, 768, 930],
  [1440, 900, 940],
  [1920, 1080, 1350],
  [2560, 1440, 1640],
] as const)
  test(`the player is as wide as the layout allows at ${width} px`, async ({ page, site }) => {
    const mara = await createAccount(site, 'mara')
    const { path } = await createFilms(site, mara, ['The wide one'])
    await page.setViewportSize({ width, height })
    await page.goto(path(0))
    const stage = page.locator('.stage')
    const stageWidth = async () => (await stage.boundingBox())?.width ?? 0
    expect(await stageWidth()).toBeGreaterThanOrEqual(minPlayer)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    if (width < 1200) return
    const before = await stageWidth()
    const theatre = page.getByRole('button', { name: 'Theatre mode' })
    // The button is loaded after the page.
    await expect(theatre).toBeVisible()
    await waitForIdle(page)
    await page.locator('body').press('t')
    await expect(theatre).toHaveAttribute('aria-pressed', 'true')
    expect(await stageWidth()).toBeGreaterThan(before * 1.2)
    await expectAccessible(page)
    // It is remembered, without a change of the layout after the first paint.
    await page.reload()
    expect(await stageWidth()).toBeGreaterThan(before * 1.2)
  })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('comments are within one screen, long titles are cut, and a swipe leads to the next video', async ({
    page,
    site,
  }) => {
    const mara = await createAccount(site, 'mara')
    const longTitle = 'A very long title about the night '.repeat(8).trim()
    const { collection, path } = await createFilms(site, mara, ['The first', longTitle])
    await page.goto(path(0))
    const comments = page.getByRole('heading', { name: 'Comments' })
    expect((await comments.boundingBox())?.y).toBeLessThan(844)
    await page.goto(`${path(0)}?collection=${collection.id}`)
    await expect(page.getByText('1 of 2')).toBeVisible()
    const swipe = (dx: number) =>
      page.locator('.queue-bar').evaluate((bar, dx) => {
        const touch = (x: number) => new Touch({ identifier: 1, target: bar, clientX: x, clientY: 400 })
        const [from, to] = [touch(200), touch(200 + dx)]
        bar.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [from] }))
        bar.dispatchEvent(new TouchEvent('touchend', { bubbles: true, changedTouches: [to] }))
      }, dx)
    // The gesture is loaded after the page.
    await expect(async () => {
      await swipe(-120)
      await expect(page).toHaveURL(new RegExp(path(1)), { timeout: 1_000 })
    }).toPass()
    const title = page.getByRole('heading', { level: 1 })
    await expect(title).toHaveText(longTitle)
    const cut = (await title.boundingBox())?.y ?? 0
    const more = page.getByRole('button', { name: 'Show more of the title' })
    await expect(more).toBeVisible()
    await more.click()
    await expect(page.getByRole('button', { name: 'Show less of the title' })).toBeVisible()
    expect((await title.boundingBox())?.y).toBe(cut)
    await expectAccessible(page)
    await swipe(120)
    await expect(page).toHaveURL(new RegExp(path(0)))
  })
})
