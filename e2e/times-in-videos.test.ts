/** Starting videos at a time, and resuming them on another device, with a video file and a player that uses messages. */

import type { Page } from '@playwright/test'
import { getBookmark, saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, activate, expect, expectAccessible, screens, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { silence } from './silent-file.ts'
import type { Site } from './site-process.ts'

const fileSeconds = 40

async function save(site: Site, owner: Account, source_url: string, embed_url: string) {
  const token = await logInForToken(site, owner)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const bookmark = await call(
    httpTransport(site),
    saveBookmarkManually,
    {
      body: {
        video: { source_url, embed_url, title: 'The long wave', duration: fileSeconds, tags: ['sea'] },
        bookmark: {
          collection_id: results[0]?.id ?? 0,
          description: 'At 0:12 the wave, at 0:38 the end, at 59:00 nothing.',
        },
      },
    },
    { ...token, 'idempotency-key': uniqueName('save') },
  )
  return `/bookmarks/${bookmark.id}`
}

/** Serves the file with ranges, which browsers need to move within it. */
async function serveFile(page: Page): Promise<void> {
  const file = silence(fileSeconds)
  await page.route('https://files.example.org/**', (route) => {
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(route.request().headers().range ?? '') ?? []
    const end = to === '' ? file.length - 1 : Number(to)
    return route.fulfill({
      status: 206,
      contentType: 'audio/wav',
      headers: { 'accept-ranges': 'bytes', 'content-range': `bytes ${from}-${end}/${file.length}` },
      body: file.subarray(Number(from), end + 1),
    })
  })
}

/** Imitates YouTube's player: its time is the start of its URL until a message moves it. */
const youtube = `<!doctype html><html lang="en"><title>player</title><p>At <output></output></p><script>
const address = new URL(location.href)
const output = document.querySelector('output')
let time = Number(address.searchParams.get('start') ?? 0)
const send = (message) => parent.postMessage(JSON.stringify(message), address.searchParams.get('origin'))
const show = () => { output.textContent = String(time); send({ event: 'infoDelivery', info: { currentTime: time } }) }
addEventListener('message', ({ data }) => {
  const { event, func, args } = JSON.parse(data)
  if (event === 'listening') { send({ event: 'onStateChange', info: 1 }); show() }
  if (func === 'seekTo') { time = args[0]; show() }
})
output.textContent = String(time)
</script></html>`

for (const { name: screen, device } of screens)
  test.describe(screen, () => {
    test.use(device)

    test('a pasted link starts at its time, and times in the description move the player', async ({
      page,
      site,
    }) => {
      const mara = await createAccount(site, 'mara')
      const id = uniqueName('a')
        .slice(-11)
        .padStart(11, 'x')
        .replace(/[^\w-]/g, '_')
      const path = await save(site, mara, `https://youtu.be/${id}?t=15s`, 'https://example.org/')
      await page.route('https://www.youtube-nocookie.com/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: youtube }),
      )
      await page.goto(path)
      await expect(page.getByText('Starts at 0:15')).toBeVisible()
      const wave = page.getByRole('button', { name: 'Play from 0:12' })
      await expect(wave).toBeVisible()
      await expect(page.getByRole('button', { name: 'Play from 59:00' })).toHaveCount(0)
      await expectAccessible(page)
      await activate(page.getByRole('button', { name: 'Play The long wave' }), 'mouse')
      await expect(page.locator('iframe')).toHaveAttribute('src', /[?&]start=15(&|$)/)
      const time = page.frameLocator('iframe').getByRole('status')
      await expect(time).toHaveText('15')
      await expect(async () => {
        await activate(wave, 'Enter')
        await expect(time).toHaveText('12', { timeout: 1_000 })
      }).toPass()
      await expect(page.getByText('Playing from 0:12.')).toBeAttached()
    })

    test('a time in a comment moves the player, and another device resumes there', async ({
      page,
      otherPage,
      site,
    }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const token = await logInForToken(site, ana)
      const link = `https://www.youtube.com/watch?v=${uniqueName('c').slice(-11).padStart(11, 'x')}`
      const path = await save(site, mara, link, 'https://example.org/')
      const id = Number(path.split('/').at(-1))
      const { video } = await call(httpTransport(site), getBookmark, { params: { id } }, token)
      const comment = { params: { id: video.id }, body: { content: 'The foam at 0:20 is the best.' } }
      await call(httpTransport(site), createComment, comment, token)
      for (const each of [page, otherPage]) {
        await each.route('https://www.youtube-nocookie.com/**', (route) =>
          route.fulfill({ contentType: 'text/html', body: youtube }),
        )
      }
      await openSignedIn(page, site, ana, path)
      const foam = page
        .getByRole('article', { name: `Comment by ${ana.username}` })
        .getByRole('button', { name: 'Play from 0:20' })
      await activate(page.getByRole('button', { name: 'Play The long wave' }), 'mouse')
      const time = page.frameLocator('iframe').getByRole('status')
      await expect(time).toHaveText('0')
      const stored = page.waitForResponse(
        (response) => response.url().endsWith('/position/') && response.request().method() === 'POST',
      )
      await expect(async () => {
        await activate(foam, 'Enter')
        await expect(time).toHaveText('20', { timeout: 1_000 })
      }).toPass()
      await stored

      await openSignedIn(otherPage, site, ana, path)
      await activate(otherPage.getByRole('button', { name: 'Resume at 0:20' }), 'Enter')
      await expect(otherPage.locator('iframe')).toHaveAttribute('src', /[?&]start=20(&|$)/)
      await expect(otherPage.frameLocator('iframe').getByRole('status')).toHaveText('20')
    })

    test('a video file resumes on another device, and its end is in the history', async ({
      page,
      otherPage,
      site,
    }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const name = uniqueName('wave')
      const path = await save(
        site,
        mara,
        `https://films.example.org/watch/${name}`,
        `https://files.example.org/${name}.mp4`,
      )
      await serveFile(page)
      await serveFile(otherPage)
      await openSignedIn(page, site, ana, path)
      // A time in a text does not load the player of an unknown host, but leads to the button that names the host.
      const wave = page.getByRole('button', { name: 'Play from 0:12' })
      await activate(wave, 'mouse')
      const play = page.getByRole('button', { name: 'Play from files.example.org' })
      await expect(play).toBeFocused()
      await expect(page.locator('iframe')).toHaveCount(0)
      const stored = page.waitForResponse(
        (response) => response.url().endsWith('/position/') && response.request().method() === 'POST',
      )
      await activate(play, 'Enter')
      await expect(page.locator('iframe')).toHaveAttribute('src', /[?&]t=12$/)
      const video = page.frameLocator('iframe').locator('video')
      await expect
        .poll(() => video.evaluate((file: HTMLVideoElement) => file.currentTime))
        .toBeGreaterThan(12)
      await video.evaluate((file: HTMLVideoElement) => file.pause())
      expect((await stored).status()).toBe(200)

      await openSignedIn(otherPage, site, ana, path)
      const resume = otherPage.getByRole('button', { name: /^Resume at 0:1\d from files\.example\.org$/ })
      await expect(resume).toBeVisible()
      await expect(otherPage.getByRole('button', { name: 'Start over from files.example.org' })).toBeVisible()
      await expectAccessible(otherPage)
      await resume.click()
      await expect(otherPage.locator('iframe')).toHaveAttribute('src', /[?&]t=1\d$/)
      const other = otherPage.frameLocator('iframe').locator('video')
      await expect
        .poll(() => other.evaluate((file: HTMLVideoElement) => file.currentTime))
        .toBeGreaterThan(10)
      await otherPage.getByRole('button', { name: 'Play from 0:38' }).click()
      await expect(otherPage.getByRole('button', { name: 'Watched', exact: true })).toBeVisible({
        timeout: 30_000,
      })
      await otherPage.goto('/history')
      await expect(otherPage.getByRole('link', { name: /The long wave/ }).first()).toBeVisible()
      await expectAccessible(otherPage)
      await otherPage.goto(path)
      await expect(otherPage.getByRole('button', { name: 'Watched', exact: true })).toBeVisible()
      await expect(resume).toHaveCount(0)
    })

    test('notes at a time are public or private, and move the player', async ({ page, otherPage, site }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const id = uniqueName('n')
        .slice(-11)
        .padStart(11, 'x')
        .replace(/[^\w-]/g, '_')
      const path = await save(site, mara, `https://youtu.be/${id}?t=15s`, 'https://example.org/')
      for (const each of [page, otherPage]) {
        await each.route('https://www.youtube-nocookie.com/**', (route) =>
          route.fulfill({ contentType: 'text/html', body: youtube }),
        )
      }
      await openSignedIn(page, site, mara, path)
      await activate(page.getByRole('button', { name: 'Play The long wave' }), 'mouse')
      await expect(page.frameLocator('iframe').getByRole('status')).toHaveText('15')
      const notes = page.getByRole('region', { name: 'Notes', exact: true })
      // The form has the time that the player shows.
      await expect(async () => {
        const cancel = notes.getByRole('button', { name: 'Cancel' })
        if (await cancel.isVisible()) await cancel.click({ timeout: 1_000 })
        await notes.getByRole('button', { name: 'Add a note at a time' }).click({ timeout: 1_000 })
        await expect(notes.getByLabel('Time')).toHaveValue('0:15', { timeout: 1_000 })
      }).toPass()
      await notes.getByLabel('Note', { exact: true }).fill('The foam')
      await notes.getByLabel('Who can read it').selectOption('Everyone')
      await expectAccessible(page)
      await activate(notes.getByRole('button', { name: 'Save note' }), 'Enter')
      await expect(notes.getByText('The foam')).toBeVisible()
      await expect(notes.getByRole('button', { name: 'Add a note at a time' })).toBeFocused()
      await notes.getByRole('button', { name: 'Add a note at a time' }).click()
      await notes.getByLabel('Time').fill('0:20')
      await notes.getByLabel('Note', { exact: true }).fill('My thought')
      await page.reload()
      await notes.getByRole('button', { name: 'Add a note at a time' }).click()
      await expect(notes.getByLabel('Time')).toHaveValue('0:20')
      await expect(notes.getByLabel('Note', { exact: true })).toHaveValue('My thought')
      await activate(notes.getByRole('button', { name: 'Save note' }), 'Enter')
      await expect(notes.getByText('Only you')).toBeVisible()
      await activate(notes.getByRole('button', { name: 'Play from 0:20' }), 'mouse')
      await expect(page.frameLocator('iframe').getByRole('status')).toHaveText('20')
      await expectAccessible(page)

      await otherPage.goto(path)
      await expect(otherPage.getByText('The foam')).toBeVisible()
      await expect(otherPage.getByText('My thought')).toHaveCount(0)
      await openSignedIn(otherPage, site, ana, path)
      const others = otherPage.getByRole('region', { name: 'Notes', exact: true })
      await expect(others.getByText('The foam')).toBeVisible()
      await expect(others.getByRole('button', { name: /^Edit note/ })).toHaveCount(0)

      await activate(notes.getByRole('button', { name: 'Edit note at 0:15' }), 'Enter')
      await notes.getByLabel('Note', { exact: true }).fill('The white foam')
      await activate(notes.getByRole('button', { name: 'Save note' }), 'Enter')
      await expect(notes.getByText('The white foam')).toBeVisible()
      await expect(notes.getByRole('button', { name: 'Edit note at 0:15' })).toBeFocused()
      await activate(notes.getByRole('button', { name: 'Delete note at 0:20' }), 'mouse')
      await activate(page.getByRole('dialog').getByRole('button', { name: 'Delete' }), 'mouse')
      await expect(notes.getByText('My thought')).toHaveCount(0)
      await expect(notes.getByRole('button', { name: 'Add a note at a time' })).toBeFocused()
      await page.reload()
      await expect(notes.getByText('The white foam')).toBeVisible()
      await expect(notes.getByRole('listitem')).toHaveCount(1)
    })
  })

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('times are text', async ({ page, site }) => {
    const mara = await createAccount(site, 'mara')
    const path = await save(site, mara, 'https://vimeo.com/76979871#t=15s', 'https://example.org/')
    await page.goto(path)
    await expect(page.getByText('At 0:12 the wave')).toBeVisible()
    await expect(page.getByText('Starts at 0:15')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Play from 0:12' })).toHaveCount(0)
  })
})
