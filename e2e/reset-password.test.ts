/** Resetting a forgotten password. */

import { createConfirmedAccount, logInThroughForm, openSignedIn, setUpAuthenticator } from './accounts.ts'
import { expect, expectAccessibleAtBothWidths, test } from './fixtures.ts'
import { waitForMailedLink } from './outbox.ts'

test.use({ viewport: { width: 390, height: 800 } })

test('a forgotten password is reset with a mailed link that works once', async ({
  page,
  otherPage,
  site,
  expectedNoise,
}) => {
  // Errors from a wrong password, an ended session and a used link.
  expectedNoise.push(/40[01]/)
  const ida = await createConfirmedAccount(site, 'ida')
  await openSignedIn(otherPage, site, ida, '/contact')

  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await page.getByRole('button', { name: 'Send Password Reset Email' }).click()
  await expect(page.getByText('Email is required.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await page.getByLabel('Email Address').fill(ida.email)
  await page.getByRole('button', { name: 'Send Password Reset Email' }).click()
  await expect(
    page.getByText('If an account with that email exists, a password reset link has been sent.'),
  ).toBeVisible()
  await expectAccessibleAtBothWidths(page)

  const link = await waitForMailedLink(site, ida.email, /\/reset-password\//)
  expect(link).toMatch(new RegExp(`^${site.url}/reset-password/[\\w-]+/[\\w-]+$`))
  await page.goto(link)
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  const reset = page.getByRole('button', { name: 'Reset Password' })
  await reset.click()
  await expect(page.getByText('New password is required.')).toBeVisible()
  await expect(page.getByText('Please confirm your new password.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await page.getByLabel('New Password', { exact: true }).fill('password')
  await page.getByLabel('Confirm New Password').fill('passwort')
  await reset.click()
  await expect(page.getByText('Passwords do not match.')).toBeVisible()
  await page.getByLabel('Confirm New Password').fill('password')
  await reset.click()
  await expect(page.getByText(/common/)).toBeVisible()
  await expect(page.getByLabel('New Password', { exact: true })).toBeFocused()
  const newPassword = 'the tide comes in twice a day'
  await page.getByLabel('New Password', { exact: true }).fill(newPassword)
  await page.getByLabel('Confirm New Password').fill(newPassword)
  await reset.click()
  await expect(page.getByText('Your password has been reset successfully!')).toBeVisible()
  await expectAccessibleAtBothWidths(page)

  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Username').fill(ida.username)
  await page.getByLabel('Password', { exact: true }).fill(ida.password)
  await main.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText('Invalid username or password.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await main.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL(`/users/${ida.username}`)

  // Uses the link a second time, in its query form, in the browser whose session the reset ended.
  const [uidb64, token] = link.split('/').slice(-2)
  await otherPage.goto(`/reset-password-confirm?uidb64=${uidb64}&token=${token}`)
  await otherPage.getByLabel('New Password', { exact: true }).fill('one more quiet harbour')
  await otherPage.getByLabel('Confirm New Password').fill('one more quiet harbour')
  await otherPage.getByRole('button', { name: 'Reset Password' }).click()
  await expect(otherPage.getByText('The password reset link is invalid or has expired.')).toBeVisible()
  await expectAccessibleAtBothWidths(otherPage)
  await otherPage.getByRole('link', { name: 'Request a new link' }).click()
  await expect(otherPage).toHaveURL('/forgot-password')
})

test('after a reset the second factor is still required, and the user decides what to keep', async ({
  page,
  site,
  expectedNoise,
}) => {
  // The password requires a second step.
  expectedNoise.push(/403/)
  const ria = await createConfirmedAccount(site, 'ria')
  const { recoveryCodes } = await setUpAuthenticator(site, ria)
  await page.goto('/forgot-password')
  await page.getByLabel('Email Address').fill(ria.email)
  await page.getByRole('button', { name: 'Send Password Reset Email' }).click()
  await page.goto(await waitForMailedLink(site, ria.email, /\/reset-password\//))
  const password = 'the tide comes in twice a day'
  await page.getByLabel('New Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm New Password').fill(password)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByText(/decide which of them are yours/)).toBeVisible()
  await expectAccessibleAtBothWidths(page)

  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await logInThroughForm(page, { ...ria, password })
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await page.getByLabel('Recovery code').press('Enter')
  await expect(page).toHaveURL('/settings/security')
  const review = page.getByRole('region', { name: 'Review how you log in' })
  await expect(review.getByRole('group', { name: /^Authenticator app/ })).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await review.getByRole('button', { name: 'Save' }).press('Enter')
  const problem = review.getByRole('alert')
  await expect(problem).toHaveText('Choose Keep or Remove for each.')
  await expect(problem).toBeFocused()
  await page.goto('/settings/account')
  await page.getByRole('link', { name: /Decide which ways/ }).click()
  await expect(page).toHaveURL('/settings/security')
  await review.getByRole('radio', { name: 'Remove' }).check()
  await review.getByRole('button', { name: 'Save' }).click()
  await expect(review).toBeHidden()
  await expect(page.getByRole('region', { name: 'Authenticator app' }).getByText('Off')).toBeVisible()
})

test('an incomplete reset link shows that it is invalid', async ({ page }) => {
  for (const cut of ['/reset-password', '/reset-password/Nw', '/reset-password-confirm?uidb64=Nw']) {
    await page.goto(cut)
    await expect(page.getByText('Invalid password reset link.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Request a new link' })).toBeVisible()
  }
})
