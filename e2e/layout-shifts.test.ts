/** The user's own lists: nothing that was shown moves when more is loaded. */
import type { Page } from '@playwright/test'
import { bulkUpdateBookmarks } from '@reelmark/contract/bookmark-changes.ts'
import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import { updateCollection } from '@reelmark/contract/collections.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn, saveFilms } from './accounts.ts'
import { expect, test, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

/** Returns the cumulative layout shift of the page since it was opened. */
function readLayoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) =>
          resolve(
            list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
          ),
        )
        observer.observe({ type: 'layout-shift', buffered: true })
        // Without any shift, the observer is not called.
        setTimeout(() => resolve(0), 500)
      }),
  )
}

test('lists of the user and the footer do not jump while they are loading', async ({
  page,
  site,
  expectedNoise,
}) => {
  // The server responds to the page of the private collection as to a visitor.
  expectedNoise.push(/status of 404/)
  const ana = await createAccount(site, 'ana')
  const http = httpTransport(site)
  const { collection } = await saveFilms(site, ana, 36)
  const token = await logInForToken(site, ana)
  const name = 'Documentaries about rivers, mountains and the sea in winter'
  await call(http, updateCollection, { params: { id: collection }, body: { name } }, token)
  const query = { user: ana.username, page_size: 100 }
  const { results } = await call(http, listVideos, { query }, token)
  let later = 0
  for (const { video_id } of results.slice(0, 18)) {
    later = (await call(http, toggleWatchLater, { params: { id: video_id } }, token)).collection_id
  }
  // Enough to fill the window, as the skeletons do.
  const ids = results.slice(18).map(({ id }) => id)
  await call(http, bulkUpdateBookmarks, { body: { ids, action: 'trash' } }, token)
  await openSignedIn(page, site, ana, '/')
  // What is shown before the responses is then really painted.
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 150))
    await route.continue()
  })

  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [
      '/library?access=public',
      '/library?q=36',
      `/library?collection=${collection}`,
      '/trash',
      '/watch-later',
      `/collections/${later}`,
      `/collections/${collection}`,
      `/users/${ana.username}`,
    ]) {
      await test.step(`${path} at ${width} px`, async () => {
        await page.goto(path)
        await expect(page.getByText('Film 36').or(page.getByText('Film 1')).first()).toBeVisible()
        await waitForIdle(page)
        expect(await readLayoutShift(page)).toBeLessThan(0.05)
      })
    }
  }
})
