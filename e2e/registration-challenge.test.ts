/** Registration on a site that requires a proof of work. */

import { test as base, expect, expectAccessible, newAccount } from './fixtures.ts'
import { createDataFolder, type Site, startSite } from './site-process.ts'

const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const folder = await createDataFolder()
      const site = await startSite(folder.path, { SAMPLE_CONTENT: 'off', REGISTRATION_CHALLENGE: 'always' })
      await use(site)
      await site.stop()
      await folder.remove()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

test('the registration form solves the challenge, shows progress and continues', async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/403/)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/auth/register/', async (route) => {
    // Holds back the solution, so that the progress stays visible.
    if (route.request().postData()?.includes('altcha')) await released
    await route.continue()
  })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/register')
  const ana = newAccount()
  await page.getByLabel('Username').fill(ana.username)
  await page.getByLabel('Email').fill(ana.email)
  await page.getByLabel('Password', { exact: true }).fill(ana.password)
  await page.getByLabel('Confirm Password').fill(ana.password)
  await page.getByRole('button', { name: 'Sign up' }).press('Enter')
  await expect(page.getByRole('progressbar', { name: "Checking you're human…" })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: "Checking you're human" })).toBeAttached()
  await expectAccessible(page)
  release()
  await expect(page.getByText("Your account has been created and you're now logged in!")).toBeVisible()
})
