/** Losing and regaining the network: what the user sees, and that pages recover. */
import { expect, expectAccessible, test, waitForIdle } from './fixtures.ts'

test.beforeEach(({ expectedNoise }) => {
  expectedNoise.push(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
})

test('an open page shows a notice while offline, keeps typed text and recovers', async ({
  page,
  context,
}) => {
  await page.goto('/explore')
  const search = page.getByPlaceholder('Search or paste a link')
  await search.fill('half a word')
  // The notice is loaded after the page.
  await waitForIdle(page)
  await context.setOffline(true)
  const notice = page.getByRole('status').filter({ hasText: "You're offline" })
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await expect(search).toHaveValue('half a word')
  await context.setOffline(false)
  await expect(notice).toBeHidden()
  await expect(search).toHaveValue('half a word')
})

test('a menu that cannot be loaded while offline leaves the page intact', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto('/contact')
  await expect(page.getByRole('button', { name: 'You' })).toBeVisible()
  // Messages are loaded after the page.
  await waitForIdle(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'You' }).click()
  await expect(page.getByText("Couldn't open the menu.")).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Contact' })).toBeVisible()
  await context.setOffline(false)
})

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('navigating while offline shows an offline page, which opens the target once online', async ({
    page,
    context,
  }) => {
    await page.goto('/contact')
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    // The cache contains only the offline page and nothing that the user viewed.
    const cached = await page.evaluate(async () => {
      const names = await caches.keys()
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(cached.sort()).toEqual(['/offline.css', '/offline.html', '/offline.js'])
    await context.setOffline(true)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto('/terms')
      await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
      await expectAccessible(page)
    }
    await context.setOffline(false)
    await expect(page.getByRole('heading', { name: 'Terms of Service' })).toBeVisible()
    await expect(page).toHaveURL('/terms')
  })
})
