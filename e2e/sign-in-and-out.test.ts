/** Registering, logging in and logging out. */
import type { Locator, Page } from '@playwright/test'
import { createAccount, logInThroughForm, logOut, openSignedIn } from './accounts.ts'
import {
  expect,
  expectAccessible,
  expectAccessibleAtBothWidths,
  freezeCountdowns,
  newAccount,
  test,
} from './fixtures.ts'
import { waitForMailedLink } from './outbox.ts'

test('a new user registers, sees the success and is led to the first steps after the countdown', {
  tag: '@essential',
}, async ({ page }) => {
  const ana = newAccount()
  await page.goto('/register')
  await expect(
    page.getByText(
      "By signing up, you confirm you're 18 or older and agree to the Terms and Privacy Policy.",
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
  await expect(page).toHaveURL('/welcome', { timeout: 30_000 })
  await expect(page.getByRole('heading', { name: 'Get started', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Skip for now' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'My Vault' })).toBeVisible()
})

test('a protected page sends a visitor to log in and back', { tag: '@essential' }, async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/401/)
  const bob = await createAccount(site, 'bob')
  await page.goto('/bookmarks/create?url=https%3A%2F%2Fvimeo.com%2F1')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText('Username and password are required.')).toBeVisible()
  await page.getByLabel('Username').fill(bob.username)
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText('Invalid username or password.')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue(bob.username)
  await expectAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill(bob.password)
  await expect(page.getByLabel('Keep me logged in for a week')).toBeChecked()
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  // The page moves the link from its address into the form.
  await expect(page).toHaveURL(/\/bookmarks\/create/)
  await expect(page.getByLabel('Video URL')).toHaveValue('https://vimeo.com/1')

  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage)))
    .toEqual(expect.arrayContaining(['access', 'refresh', 'token_expiry', 'user', 'username']))
  await logOut(page)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('access'))).toBeNull()
})

test('a new user confirms the address with a mailed link', { tag: '@essential' }, async ({ page, site }) => {
  const eve = await createAccount(site, 'eve')
  const first = await waitForMailedLink(site, eve.email, /\/confirm-email\//)
  await openSignedIn(page, site, eve, '/settings/account')
  await expect(page.getByText('Confirm your email')).toBeVisible()
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await expect(page.getByText(/^Sent\./)).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await expect.poll(() => waitForMailedLink(site, eve.email, /\/confirm-email\//)).not.toBe(first)

  await page.goto(await waitForMailedLink(site, eve.email, /\/confirm-email\//))
  await expect(page.getByRole('definition').filter({ hasText: eve.email })).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByText(`${eve.email} is confirmed.`)).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('link', { name: 'Go to Settings' }).click()
  await expect(page).toHaveURL('/settings/account')
  await expect(page.getByText(eve.email)).toBeVisible()
  await expect(page.getByText('Confirm your email')).toBeHidden()
})

test('registration errors are listed individually and keep the typed values', async ({
  page,
  site,
  expectedNoise,
}) => {
  // Errors from the refused registration and from the failing login.
  expectedNoise.push(/400/, /503/)
  const taken = await createAccount(site, 'kim')
  const kim = newAccount('kim')
  await page.goto('/register')
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) {
      await page.getByLabel(label, { exact: true }).fill(value)
    }
    await page.getByRole('button', { name: 'Sign up' }).click()
  }
  await fill({
    Username: taken.username.toUpperCase(),
    Email: taken.email,
    Password: 'password',
    'Confirm Password': 'password',
  })
  const problems = page.getByRole('alert')
  await expect(problems).toContainText('Registration error:')
  // Nothing reveals that an account has the address.
  await expect(problems.getByRole('listitem')).toHaveCount(2)
  for (const text of [/username/i, /common/]) await expect(problems.getByText(text).first()).toBeVisible()
  await expect(page.getByLabel('Username')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue(taken.email)
  await expectAccessible(page)
  await fill({ Username: '.', Email: 'nobody', Password: 'short', 'Confirm Password': 'short' })
  await expect(problems.getByRole('listitem')).not.toHaveCount(0)
  await expect(problems).not.toContainText('common')

  await page.route('**/api/token/', (route) => route.fulfill({ status: 503, json: {} }))
  await fill({
    Username: kim.username,
    Email: kim.email,
    Password: kim.password,
    'Confirm Password': kim.password,
  })
  await expect(
    page.getByText('Your account has been created. Please log in with your credentials.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await expect(page).toHaveURL('/login?redirect=%2Fwelcome')
  await logInThroughForm(page, kim)
  await expect(page.getByText('Login failed. Please check your connection and try again.')).toBeVisible()
  await page.unroute('**/api/token/')
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(page).toHaveURL('/welcome')
})

test('registering, logging in and logging out work by keyboard', async ({ page }) => {
  const lou = newAccount('lou')
  await freezeCountdowns(page)
  await page.goto('/')
  await tabTo(page, page.getByRole('link', { name: 'Sign up' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/register')
  await expect(page.getByRole('main')).toBeFocused()
  for (const [label, text] of [
    ['Username', lou.username],
    ['Email', lou.email],
    ['Password', lou.password],
    ['Confirm Password', lou.password],
  ] as const) {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Enter')
  await expect(page.getByText("Your account has been created and you're now logged in!")).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Continue to Home Now' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  await tabTo(page, page.getByRole('button', { name: 'Log out' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()

  await tabTo(page, page.getByRole('banner').getByRole('link', { name: 'Log in' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
  await tabTo(page, page.getByLabel('Username'))
  await page.keyboard.type(lou.username)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Username and password are required.')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(lou.password)
  await tabTo(page, page.getByLabel('Keep me logged in for a week'))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/users/${lou.username}`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('access'))).toBeNull()
})

/** Presses a key until the target has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeEnabled()
  for (let presses = 0; presses < 40; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      const outline = await target.evaluate((element) => getComputedStyle(element).outlineStyle)
      expect(outline, 'the focus is visible').not.toBe('none')
      return
    }
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not reach ${target}`)
}
