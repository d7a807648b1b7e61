/** Coming, going, and coming back. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, newAccount, registerBy, test } from './test.ts'

test('a newcomer registers, sees the success and is taken home after the countdown', async ({ page }) => {
  const ana = newAccount()
  await page.goto('/register')
  await expect(
    page.getByText(
      'By signing up you confirm that you are 18 or older and accept the Terms and Privacy Policy',
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Sign up' }).click()
  for (const text of ['Username is required.', 'Email is required.', 'Password is required.']) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByLabel('Username').fill(ana.username)
  await page.getByLabel('Email').fill(ana.email)
  await page.getByLabel('Password', { exact: true }).fill(ana.password)
  await page.getByLabel('Confirm Password').fill('something else')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('Passwords do not match.')).toBeVisible()
  await page.getByLabel('Confirm Password').fill(ana.password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText("Your account has been created and you're now logged in!")).toBeVisible()
  await expectAccessible(page)
  await expect(page).toHaveURL('/', { timeout: 8000 })
  await expect(page.getByRole('link', { name: 'My Vault' })).toBeVisible()
})

test('a protected page sends a visitor to sign in, and back', async ({ page, expectedNoise }) => {
  expectedNoise.push(/401/)
  const bob = newAccount('bob')
  await registerBy(page, bob)
  await logOut(page)

  await page.goto('/bookmarks/create?url=https%3A%2F%2Fvimeo.com%2F1')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Username and password are required.')).toBeVisible()
  await page.getByLabel('Username').fill(bob.username)
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Invalid username or password.')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue(bob.username)
  await expectAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill(bob.password)
  await expect(page.getByLabel('Keep me logged in for a week')).toBeChecked()
  await page.getByRole('button', { name: 'Log in' }).click()
  // The page takes the link over into its form, and the address then names the tab.
  await expect(page).toHaveURL(/\/bookmarks\/create/)
  await expect(page.getByLabel('Video URL')).toHaveValue('https://vimeo.com/1')

  const stored = await page.evaluate(() => Object.keys(localStorage))
  expect(stored).toEqual(expect.arrayContaining(['access', 'refresh', 'token_expiry', 'user', 'username']))
  await logOut(page)
  expect(await page.evaluate(() => localStorage.getItem('access'))).toBeNull()
})

test('the redirect never leaves our origin', async ({ page }) => {
  const eve = newAccount('eve')
  await registerBy(page, eve)
  await logOut(page)
  await page.goto('/login?redirect=%2F%2Fevil.example%2F')
  await page.getByLabel('Username').fill(eve.username)
  await page.getByLabel('Password', { exact: true }).fill(eve.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(new RegExp(`/users/${eve.username}$`))
})

test('whoever is no moderator is sent home from their page', async ({ page }) => {
  await registerBy(page, newAccount('mel'))
  await page.goto('/moderator')
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Access denied: Moderator privileges required')).toBeVisible()
})

test('logging out in one tab logs out the other', async ({ page, context }) => {
  await registerBy(page, newAccount('flo'))
  const second = await context.newPage()
  await second.goto('/explore')
  await expect(second.getByRole('main')).toBeVisible()
  await logOut(page)
  await second.goto('/bookmarks/create')
  await expect(second).toHaveURL(/\/login/)
})

/** From another page than home, so that arriving there tells that it is done. */
async function logOut(page: Page) {
  await page.goto('/explore')
  const menu = page.getByRole('button', { name: /menu/i })
  const button = page.getByRole('button', { name: 'Log out' })
  await expect(menu.or(button).first()).toBeVisible()
  if (!(await button.isVisible())) await menu.click()
  await button.click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
}
