/** Playing a channel to its end by keyboard, with players of three hosts that report the end differently. */

import { type Bookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import { createChannel, listCollections } from '@reelmark/contract/collections.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { savePosition } from '@reelmark/contract/playback.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { clearWatched, markWatched } from '@reelmark/contract/watching.ts'
import { createAccount, logInForToken, openSignedIn, saveFilms } from './accounts.ts'
import { fakePlayers } from './fake-players.ts'
import {
  type Account,
  activate,
  expect,
  expectAccessible,
  freezeCountdowns,
  screens,
  test,
  uniqueName,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

const randomLetters = (length: number) =>
  Array.from({ length }, () => 'abcdefghijkmnopqrstuvwxyz'[Math.floor(Math.random() * 25)]).join('')
const newUuid = () => crypto.randomUUID()

/** Creates a channel that lists three films in the order first, second, last, and a private one. */
async function createFilmChannel(site: Site, owner: Account) {
  const token = await logInForToken(site, owner)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const channel = await call(
    httpTransport(site),
    createChannel,
    { params: { id: results[0]?.id ?? 0 }, body: { name: 'Slow films' } },
    { ...token, 'idempotency-key': uniqueName('channel') },
  )
  const save = (title: string, source_url: string, access: 'public' | 'private' = 'public') =>
    call(
      httpTransport(site),
      saveBookmark,
      {
        body: { video: { source_url, title, tags: ['slow'] }, bookmark: { channel_id: channel.id, access } },
      },
      token,
    )
  const films: Bookmark[] = [
    await save('The last light', `https://tube.example.org/videos/watch/${newUuid()}`),
    await save('A private film', `https://vimeo.com/${Math.floor(Math.random() * 1e8) + 1e8}`, 'private'),
    await save('The second tide', `https://vimeo.com/${Math.floor(Math.random() * 1e8) + 1e8}`),
    await save('The first tide', `https://www.youtube.com/watch?v=${randomLetters(11)}`),
  ]
  const [last, , second, first] = films.map(({ id }) => `/bookmarks/${id}?channel=${channel.id}`)
  return { first: first ?? '', second: second ?? '', last: last ?? '', channel: channel.id }
}

test('a channel plays to its end across three hosts by keyboard', { tag: '@essential' }, async ({
  page,
  site,
}) => {
  const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
  const { first, second, last } = await createFilmChannel(site, mara)
  await fakePlayers(page)
  const runCountdowns = await freezeCountdowns(page)
  await openSignedIn(page, site, ana, first)
  const queue = page.getByRole('region', { name: 'Slow films' })
  await expect(queue.getByText('1 of 3')).toBeVisible()
  await expect(queue.getByRole('listitem')).toHaveCount(3)
  await page.keyboard.press('w')
  await expect(page.getByRole('button', { name: 'In Watch Later' })).toBeVisible()

  const end = page.frameLocator('iframe').getByRole('button', { name: 'End' })
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await page.getByRole('button', { name: 'Play The first tide' }).press('Enter')
  // The button works only once the page has subscribed to the player's events, hence the retries.
  await expect(async () => {
    await end.press('Enter', { timeout: 2_000 })
    await expect(cancel).toBeFocused({ timeout: 500 })
  }).toPass()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(cancel).toBeHidden()
  await expect(page.getByRole('button', { name: 'Watched', exact: true })).toBeVisible()

  // Without input the next video starts after the countdown.
  await end.press('Enter')
  await expect(cancel).toBeFocused()
  await runCountdowns(true)
  await expect(page).toHaveURL(second, { timeout: 30_000 })
  await runCountdowns(false)
  await expect(page.locator('iframe')).toHaveAttribute('src', /player\.vimeo\.com.*autoplay=1/)
  await expect(queue.getByText('2 of 3')).toBeVisible()
  await expect(queue.getByRole('listitem').first().getByRole('img', { name: 'Watched' })).toBeVisible()

  await expect(async () => {
    await end.press('Enter', { timeout: 2_000 })
    await expect(cancel).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(last)
  // The player of an unknown host is loaded only after a click on a button that names the host.
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.getByRole('button', { name: 'Play from tube.example.org' }).press('Enter')
  const inner = page.frameLocator('iframe').frameLocator('iframe').getByRole('button', { name: 'End' })
  await expect(async () => {
    await inner.press('Enter', { timeout: 2_000 })
    await expect(page.getByText('End of the collection.')).toBeAttached({ timeout: 500 })
  }).toPass()
  await expectAccessible(page)

  await queue.getByRole('link', { name: 'Previous' }).focus()
  await page.keyboard.press('Shift+P')
  await expect(page).toHaveURL(second)
  // The address changes before the page is shown, and the last video has no next one.
  await expect(queue.getByText('2 of 3')).toBeVisible()
  await page.keyboard.press('Shift+N')
  await expect(page).toHaveURL(last)
})

test('a bookmark that fails to load shows the server’s message and can be retried', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/503/, /The database is out of reach/)
  const mara = await createAccount(site, 'mara')
  const { first } = await createFilmChannel(site, mara)
  await page.goto(first)
  const next = page.getByRole('link', { name: 'Next: The second tide' })
  await page.route('**/api/bookmarks/*/', (route) =>
    route.fulfill({ status: 503, json: { detail: 'The database is out of reach.' } }),
  )
  await next.click()
  await expect(page.getByRole('heading', { name: 'Error Loading Bookmark' })).toBeVisible()
  await expect(page.getByText('The database is out of reach.')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByRole('main').getByRole('link', { name: 'Go back home' })).toBeVisible()
  await page.unroute('**/api/bookmarks/*/')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'The second tide', level: 1 })).toBeVisible()
})

test.describe('on a phone, without JavaScript', () => {
  test.use({ viewport: { width: 320, height: 700 }, javaScriptEnabled: false })

  test('the play queue consists of links', async ({ page, site }) => {
    const mara = await createAccount(site, 'mara')
    const { first, second, channel } = await createFilmChannel(site, mara)
    await page.goto(first)
    const queue = page.getByRole('region', { name: 'Slow films' })
    await queue.getByRole('link', { name: 'Next: The second tide' }).click()
    await expect(page).toHaveURL(second)
    await expect(queue.getByText('2 of 3')).toBeVisible()
    await queue.getByRole('link', { name: 'Slow films' }).click()
    await expect(page).toHaveURL(new RegExp(`tab=collections.*channel=${channel}`))
    await page.getByRole('link', { name: 'Play all' }).click()
    await expect(page).toHaveURL(first)
  })
})

for (const { name: screen, device } of screens)
  test.describe(screen, () => {
    test.use(device)

    test('a tag plays from the first unwatched video, shuffled and repeated, and Back leads to the list', async ({
      page,
      site,
    }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const [token, anasToken] = [await logInForToken(site, mara), await logInForToken(site, ana)]
      const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
      const tag = uniqueName('reef')
      const films: Bookmark[] = []
      for (const title of ['Third reef', 'Second reef', 'First reef']) {
        const source_url = `https://www.youtube.com/watch?v=${randomLetters(11)}`
        const body = {
          video: { source_url, title, tags: [tag] },
          bookmark: { collection_id: results[0]?.id ?? 0 },
        }
        films.unshift(await call(httpTransport(site), saveBookmark, { body }, token))
      }
      const [first, second, third] = films.map(({ id }) => new RegExp(`/bookmarks/${id}[?]`))
      await call(httpTransport(site), markWatched, { params: { id: films[0]?.video.id ?? 0 } }, anasToken)
      await fakePlayers(page)
      const runCountdowns = await freezeCountdowns(page)
      await openSignedIn(page, site, ana, `/explore?tag=${tag}`)
      await expect(page.getByText('Watched', { exact: true })).toHaveCount(1)
      await activate(page.getByRole('link', { name: 'Play all' }), 'mouse')
      // Pressing it is pressing play: the player of a known host starts.
      await expect(page).toHaveURL(second ?? '')
      await expect(page.locator('iframe')).toHaveAttribute('src', /youtube-nocookie\.com.*autoplay=1/)
      const queue = page.getByRole('region', { name: `#${tag}` })
      await expect(queue.getByText('2 of 3')).toBeVisible()
      await expectAccessible(page)
      await page.locator('body').press('n')
      await expect(page).toHaveURL(third ?? '')
      await expect(queue.getByText('3 of 3')).toBeVisible()
      await page.locator('body').press('p')
      await expect(page).toHaveURL(second ?? '')
      // Typing does not leave the video.
      await page.getByRole('textbox', { name: 'Your comment' }).fill('')
      await page.getByRole('textbox', { name: 'Your comment' }).press('n')
      await expect(page).toHaveURL(second ?? '')
      await test.step('the space bar pauses and continues, and keeps its meaning in fields and buttons', async () => {
        const body = page.locator('body')
        const state = page.frameLocator('iframe').getByRole('status')
        // The page of the previous video is left.
        await expect(page.getByRole('heading', { name: 'Second reef', level: 1 })).toBeVisible()
        await expect(state).toHaveText('Playing')
        await page.evaluate(
          () =>
            new Promise<void>((resolve) => {
              addEventListener('message', ({ data }) => String(data).includes('currentTime') && resolve())
            }),
        )
        const comment = page.getByRole('textbox', { name: 'Your comment' })
        await comment.fill('')
        await comment.press('Space')
        await expect(comment).toHaveValue(' ')
        await page.getByRole('button', { name: 'Like', exact: true }).press('Space')
        await expect(page.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
        await body.click({ position: { x: 2, y: 300 } })
        // If the keys above had paused the player, this one would continue.
        await body.press('Space')
        await expect(state).toHaveText('Paused')
        await body.press('Space')
        await expect(state).toHaveText('Playing')
      })
      await page.locator('body').press('n')
      await expect(page).toHaveURL(third ?? '')

      const show = queue.getByRole('button', { name: 'Show queue' })
      if (await show.isVisible()) await activate(show, 'mouse')
      await activate(queue.getByRole('button', { name: 'Repeat: off' }), 'Enter')
      await expect(page).toHaveURL(/repeat=all/)
      const end = page.frameLocator('iframe').getByRole('button', { name: 'End' })
      await expect(async () => {
        await end.click({ timeout: 2_000 })
        await expect(page.getByText('From the beginning', { exact: true })).toBeVisible({ timeout: 500 })
      }).toPass()
      await runCountdowns(true)
      await expect(page).toHaveURL(first ?? '', { timeout: 30_000 })
      await runCountdowns(false)

      await activate(queue.getByRole('button', { name: 'Shuffle' }), 'mouse')
      await expect(page).toHaveURL(new RegExp(`shuffle=\\d+&shuffle_from=${films[0]?.video.id}`))
      await expect(queue.getByText('1 of 3')).toBeVisible()
      await expect(queue.getByRole('button', { name: 'Shuffle' })).toHaveAttribute('aria-pressed', 'true')
      await expectAccessible(page)
      // The order is the same after every reload, because its seed is in the address.
      const readOrder = async () => {
        await page.reload()
        await expect(queue.getByText('1 of 3')).toBeVisible()
        return queue.locator('ol').textContent()
      }
      expect(await readOrder()).toBe(await readOrder())
      await page.goBack()
      await expect(page).toHaveURL(new RegExp(`/explore[?]tag=${tag}`))
    })

    test('search results, Liked, Following and Watch Later play on to their second video', async ({
      page,
      site,
    }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const [token, anas] = [await logInForToken(site, mara), await logInForToken(site, ana)]
      const http = httpTransport(site)
      const { results } = await call(http, listCollections, { query: {} }, token)
      const tag = uniqueName('dune')
      for (const title of ['Second dune', 'First dune']) {
        const source_url = `https://www.youtube.com/watch?v=${randomLetters(11)}`
        const video = { source_url, title, tags: [tag], orientation: 'sfw' as const }
        const body = { video, bookmark: { collection_id: results[0]?.id ?? 0 } }
        const film = await call(http, saveBookmark, { body }, token)
        const ofVideo = { params: { id: film.video.id } }
        await call(http, toggleLike, ofVideo, anas)
        await call(http, toggleWatchLater, ofVideo, anas)
        if (title === 'First dune') await call(http, followUser, { params: { id: film.user.id } }, anas)
      }
      await fakePlayers(page)
      await freezeCountdowns(page)
      const lists = [
        `/explore?q=tag%3A${tag}`,
        `/users/${ana.username}?tab=liked`,
        '/explore?sort=following',
        '/watch-later',
      ]
      await openSignedIn(page, site, ana, lists[0] ?? '')
      const title = (name: string) => page.getByRole('heading', { level: 1, name })
      const playNow = page.getByRole('button', { name: 'Play now' })
      for (const path of lists) {
        await test.step(path, async () => {
          if (path !== lists[0]) await page.goto(path)
          // Phones keep the tools of a profile behind a button.
          if (device.isMobile && path.startsWith('/users/'))
            await page.getByRole('button', { name: 'Search and filters' }).tap()
          await activate(page.getByRole('main').getByRole('link', { name: 'Play all' }), 'Enter')
          await expect(title('First dune')).toBeVisible()
          const end = page.frameLocator('iframe').getByRole('button', { name: 'End' })
          await expect(async () => {
            await end.click({ timeout: 2_000 })
            await expect(playNow).toBeVisible({ timeout: 500 })
          }).toPass()
          await expect(page.getByRole('button', { name: 'Watched', exact: true })).toBeVisible()
          await activate(playNow, 'Enter')
          await expect(title('Second dune')).toBeVisible()
          await expect(page.locator('iframe')).toHaveAttribute('src', /youtube-nocookie\.com.*autoplay=1/)
          // Otherwise the next list would begin with the second video.
          await call(http, clearWatched, {}, anas)
        })
      }
    })

    test('the history is paused and cleared', async ({ page, site }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const token = await logInForToken(site, ana)
      const http = httpTransport(site)
      const { video } = await saveFilms(site, mara, 1)
      await call(http, markWatched, { params: { id: video } }, token)
      await openSignedIn(page, site, ana, '/history')
      await expect(page.getByRole('article')).toContainText('Film 1')
      await activate(page.getByRole('link', { name: 'Pause or clear' }), 'Enter')
      const pause = page.getByRole('switch', { name: 'Pause history' })
      await activate(pause, 'Space')
      await expect(pause).toBeChecked()
      await page.goto('/history')
      await expect(page.getByText('Your history is paused.')).toBeVisible()
      await expect(page.getByRole('article')).toContainText('Film 1')
      const position = { params: { id: video }, body: { seconds: 30 } }
      expect(await call(http, savePosition, position, token)).toEqual({ is_stored: false })

      await activate(page.getByRole('link', { name: 'Pause or clear' }), 'mouse')
      await expect(pause).toBeChecked()
      await activate(page.getByRole('button', { name: 'Clear watch history' }), 'Enter')
      const dialog = page.getByRole('dialog', { name: 'Clear watch history?' })
      await activate(dialog.getByRole('button', { name: 'Clear', exact: true }), 'Enter')
      await expect(page.getByText('Watch history cleared.')).toBeVisible()
      await activate(pause, 'Space')
      await expect(pause).not.toBeChecked()
      await page.goto('/history')
      await expect(page.getByText('No watched videos yet')).toBeVisible()
      await expect(page.getByText('Your history is paused.')).toHaveCount(0)
      expect(await call(http, savePosition, position, token)).toEqual({ is_stored: true })
    })

    test('a player that reports nothing is followed by the next video, and what is missing is skipped', async ({
      page,
      site,
      expectedNoise,
    }) => {
      expectedNoise.push(/404/)
      const mara = await createAccount(site, 'mara')
      const token = await logInForToken(site, mara)
      const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
      const channel = await call(
        httpTransport(site),
        createChannel,
        { params: { id: results[0]?.id ?? 0 }, body: { name: 'Silent players' } },
        { ...token, 'idempotency-key': uniqueName('channel') },
      )
      const name = uniqueName('silent')
      const save = (title: string) =>
        call(
          httpTransport(site),
          saveBookmark,
          {
            body: {
              video: {
                source_url: `https://films.example.org/${name}/${title}`,
                embed_url: `https://plain.example.org/${name}/${title}`,
                title,
                duration: 2,
                tags: ['silent'],
              },
              bookmark: { channel_id: channel.id },
            },
          },
          token,
        )
      const [third, second, first] = [await save('Third'), await save('Second'), await save('First')]
      await page.route('https://plain.example.org/**', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><title>player</title><p>A player</p>',
        }),
      )
      // The second bookmark is deleted while the queue contains it.
      const missing = { detail: 'Not found.', code: 'not-found' }
      await page.route(`**/api/bookmarks/${second.id}/`, (route) =>
        route.fulfill({ status: 404, json: missing }),
      )
      const runCountdowns = await freezeCountdowns(page)
      await openSignedIn(page, site, mara, `/bookmarks/${first.id}?channel=${channel.id}`)
      await expect(page.getByText('1 of 3')).toBeVisible()
      await activate(page.getByRole('button', { name: 'Play from plain.example.org' }), 'mouse')
      await expect(page.getByText('Next in 5 s')).toBeVisible({ timeout: 20_000 })
      await expect(page.locator('iframe')).toBeVisible()
      await expectAccessible(page)
      await activate(page.getByRole('button', { name: 'Cancel' }), 'mouse')
      await expect(page.getByText('Next in 5 s')).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Mark as watched' })).toBeVisible()

      await page.locator('body').press('n')
      await expect(page.getByRole('heading', { name: 'Error Loading Bookmark' })).toBeVisible()
      await expectAccessible(page)
      await activate(page.getByRole('link', { name: 'Skip to Third' }), 'Enter')
      await expect(page).toHaveURL(new RegExp(`/bookmarks/${third.id}`))
      await runCountdowns(false)
    })
  })
