/** The network goes and comes: what one sees meanwhile, and that everything goes on by itself. */
import { expect, expectAccessible, test } from './fixtures.ts'

test.beforeEach(({ expectedNoise }) => {
  expectedNoise.push(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
})

test('a page that is open says so, keeps what is typed and goes on by itself', async ({ page, context }) => {
  await page.goto('/explore')
  const search = page.getByRole('main').getByRole('searchbox')
  await search.fill('half a word')
  await context.setOffline(true)
  const notice = page.getByRole('status').filter({ hasText: "You're offline" })
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await expect(search).toHaveValue('half a word')
  await context.setOffline(false)
  await expect(notice).toBeHidden()
  await expect(search).toHaveValue('half a word')
})

test('the menu that cannot be fetched takes nothing away', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto('/contact')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByText("Couldn't open the menu.")).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Contact' })).toBeVisible()
  await context.setOffline(false)
})

test.describe('with the worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a page that is gone to without a network is one of ours, and comes when there is one', async ({
    page,
    context,
  }) => {
    await page.goto('/contact')
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    // What it keeps is the one page, and nothing that anybody looked at.
    const kept = await page.evaluate(async () => {
      const names = await caches.keys()
      const caught = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return caught.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(kept.sort()).toEqual(['/offline.css', '/offline.html', '/offline.js'])
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
