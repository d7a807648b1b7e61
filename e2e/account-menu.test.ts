/** The menu under the avatar, which leads to the pages of a signed-in user. */
import type { Page } from '@playwright/test'
import { createAccount, openSignedIn } from './accounts.ts'
import { activate, expect, expectAccessible, screens, test, waitForIdle } from './fixtures.ts'

const menu = (page: Page) => page.getByRole('navigation', { name: 'Account' })

async function openMenu(page: Page): Promise<void> {
  await activate(page.getByRole('banner').getByRole('button', { name: 'Account' }), 'Enter')
  await expect(menu(page)).toBeVisible()
}

for (const { name, device } of screens) {
  test.describe(name, () => {
    test.use(device)

    test('the menu under the avatar leads to the pages of the user and logs out', async ({ page, site }) => {
      const ana = await createAccount(site, 'ana')
      const profile = `/users/${ana.username}`
      const pages = [
        { item: 'Profile', path: profile, heading: ana.username },
        { item: 'Watch Later', path: '/watch-later', heading: 'Watch Later' },
        { item: 'Liked', path: `${profile}?tab=liked`, heading: ana.username },
        { item: 'Collections', path: `${profile}?tab=collections`, heading: ana.username },
        { item: 'History', path: '/history', heading: 'History' },
        { item: 'Settings', path: /\/settings/, heading: /Settings|Profile/ },
      ]
      await openSignedIn(page, site, ana, '/contact')
      await waitForIdle(page)
      await openMenu(page)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(menu(page)).toBeHidden()
      for (const { item, path, heading } of pages) {
        await openMenu(page)
        await activate(menu(page).getByRole('link', { name: item, exact: true }), 'Enter')
        await expect(page, item).toHaveURL(path)
        await expect(page.getByRole('heading', { level: 1, name: heading }), item).toBeVisible()
        await expect(menu(page)).toBeHidden()
      }
      await waitForIdle(page)
      await openMenu(page)
      await activate(menu(page).getByRole('button', { name: 'Log out' }), 'mouse')
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
    })
  })
}
