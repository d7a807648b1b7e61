/** Registering on a site that asks for a proof of work. */

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

test('the form solves what it is asked, tells so, and goes on by itself', async ({ page, expectedNoise }) => {
  expectedNoise.push(/403/)
  let looked = () => {}
  const isLookedAt = new Promise<void>((resolve) => {
    looked = resolve
  })
  await page.route('**/api/auth/register/', async (route) => {
    // The solution waits, so that its progress can be looked at.
    if (route.request().postData()?.includes('altcha')) await isLookedAt
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
  looked()
  await expect(page.getByText("Your account has been created and you're now logged in!")).toBeVisible()
})
