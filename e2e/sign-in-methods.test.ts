/** Signing in with a password and second factor, with a passkey, and through an identity provider. */
import type { Page } from '@playwright/test'
import { changeEmail } from '@reelmark/contract/account-settings.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import {
  addVirtualAuthenticator,
  createAccount,
  createConfirmedAccount,
  logInForToken,
  logInThroughForm,
  logOut,
  registerPasskey,
  setUpAuthenticator,
  totpCode,
} from './accounts.ts'
import { expect, expectAccessibleAtBothWidths, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { waitForMailedLink } from './outbox.ts'

test.use({ viewport: { width: 390, height: 800 } })

test('a user with an authenticator app logs in with its code or with a recovery code', async ({
  page,
  site,
  expectedNoise,
}) => {
  // Errors from the password, which requires a second step, from the wrong code, and from a request of Explore that is
  // under way while the user logs out.
  expectedNoise.push(/403/, /400/, /401/)
  const ada = await createAccount(site, 'ada')
  const { secret, recoveryCodes } = await setUpAuthenticator(site, ada)

  await page.goto('/login?redirect=%2Fexplore%3Fsort%3Drandom')
  await page.getByLabel('Keep me logged in for a week').uncheck()
  await logInThroughForm(page, ada)
  const code = page.getByLabel('Authenticator code')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expectAccessibleAtBothWidths(page)
  await code.fill('000000')
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await expect(code).toHaveValue('000000')
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Username')).toHaveValue(ada.username)
  await expect(page.getByLabel('Keep me logged in for a week')).not.toBeChecked()
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await code.fill(totpCode(secret, 1))
  await code.press('Enter')
  await expect(page).toHaveURL(/\/explore\?sort=random/)
  // The choice not to stay logged in still applies after the second step: the session is in session storage.
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.getItem('username')])).toEqual([
    0,
    ada.username,
  ])

  await logOut(page)
  await page.goto('/login')
  await logInThroughForm(page, ada)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await expectAccessibleAtBothWidths(page)
  await page.getByLabel('Recovery code').fill((recoveryCodes[0] ?? '').toUpperCase())
  await page.getByLabel('Recovery code').press('Enter')
  await expect(page).toHaveURL(`/users/${ada.username}`)
})

test('a passkey works as the only sign-in method and as second factor', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/403/)
  const bo = await createAccount(site, 'bo')
  await page.goto('/explore')
  const device = await addVirtualAuthenticator(page)
  await registerPasskey(page, site, bo)
  // The simulated device accepts the browser's passkey offer at once. The offer is turned off until it is tested.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('suggested') !== null) return
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

  await device.setUserVerified(false)
  await page.goto('/login?redirect=%2Fexplore')
  const passkey = page.getByRole('button', { name: 'Log in with a passkey' })
  await passkey.click()
  // After the device refused, no error is shown and the button can be used again.
  await expect(passkey).toBeEnabled()
  await expect(passkey).toBeFocused()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await device.setUserVerified(true)
  await passkey.click()
  await expect(page).toHaveURL('/explore')
  await logOut(page)

  await page.goto('/login')
  await logInThroughForm(page, bo)
  const second = page.getByRole('button', { name: 'Use a passkey' })
  await expect(second).toBeFocused()
  await expectAccessibleAtBothWidths(page)
  await second.click()
  await expect(page).toHaveURL(`/users/${bo.username}`)

  await logOut(page)
  await page.evaluate(() => sessionStorage.setItem('suggested', 'yes'))
  await page.goto('/login')
  await expect(page).toHaveURL(`/users/${bo.username}`)
})

test('a new user registers through an identity provider, chooses a username and logs in with it', async ({
  page,
  site,
  oidc,
  expectedNoise,
}) => {
  // Errors from the unknown identity, the taken username and the provider's missing icon.
  expectedNoise.push(/409/, /400/, /404/)
  const login = uniqueName('zoe')
  const taken = await createAccount(site, 'zed')
  const name = `Continue with ${new URL(oidc.provider.env.OIDC_ISSUER).host}`
  await page.goto('/register')
  await page.getByRole('button', { name }).click()
  await signInAtProvider(page, login)

  await expect(page.getByRole('heading', { name: 'Choose a username' })).toBeVisible()
  await expect(page).toHaveURL('/login/oidc')
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  const username = page.getByLabel('Username')
  await expect(username).toHaveValue(login)
  await expect(page.getByText(`${login}@example.org`)).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await username.fill(taken.username)
  await username.press('Enter')
  await expect(username).toHaveAttribute('aria-invalid', 'true')
  await username.fill(login)
  await username.press('Enter')
  await expect(page.getByText("Your account has been created and you're now logged in!")).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Home Now' }).click()
  await expect(page.getByRole('link', { name: 'My Vault' })).toBeVisible()
  await logOut(page)

  // The provider's session still exists and the identity is linked now, so no form is shown.
  await page.goto('/login?redirect=%2Fexplore%3Fpage%3D2')
  await page.getByRole('button', { name }).click()
  await expect(page).toHaveURL('/explore?page=2')
  expect(await page.evaluate(() => localStorage.getItem('username'))).toBe(login)
  await page.goto('/login/oidc?code=stolen&state=of-somebody-else')
  await expect(page).toHaveURL(`/users/${login}`)

  await test.step('the account, which has no password, is deleted', async () => {
    await page.goto('/settings/account')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await expect(dialog.getByLabel('Your password')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByText('Your account has been deleted.')).toBeVisible()
    // The identity belongs to nobody now, so that it can register again.
    await page.goto('/login')
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('heading', { name: 'Choose a username' })).toBeVisible()
  })
})

test('an identity with the e-mail of an account does not take it over, but can be linked', async ({
  page,
  site,
  oidc,
  expectedNoise,
}) => {
  expectedNoise.push(/409/, /404/, /400/)
  const known = await createConfirmedAccount(site, 'kay')
  const { host } = new URL(oidc.provider.env.OIDC_ISSUER)
  await page.goto('/login')
  await page.getByRole('button', { name: `Continue with ${host}` }).click()
  // Cancelling at the provider returns with an error message.
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByText("Login wasn't completed. Try again.")).toBeVisible()
  await expect(page).toHaveURL('/login/oidc')
  await expectAccessibleAtBothWidths(page)
  await page.reload()
  await expect(page.getByText(/Start again/)).toBeVisible()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await page.getByRole('button', { name: `Continue with ${host}` }).click()
  await signInAtProvider(page, known.username)
  await expect(page.getByText(/You already have an account with this email/)).toBeVisible()
  await expectAccessibleAtBothWidths(page)

  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await logInThroughForm(page, known)
  await expect(page).toHaveURL('/settings/security')
  await page.getByRole('button', { name: `Link ${host}` }).click()
  await expect(page).toHaveURL('/settings/security')
  await expect(page.getByText(`You can now log in with ${host}.`)).toBeVisible()
  await logOut(page)
  await page.goto('/login')
  await page.getByRole('button', { name: `Continue with ${host}` }).click()
  await expect(page).toHaveURL(`/users/${known.username}`)
})

test('a new e-mail address takes effect once it is confirmed in any browser', async ({
  page,
  otherPage,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/400/)
  const una = await createAccount(site, 'una')
  const email = `${uniqueName('una')}@example.org`
  await call(httpTransport(site), changeEmail, { body: { email } }, await logInForToken(site, una))
  const link = await waitForMailedLink(site, email, /\/confirm-email\//)
  await page.goto(link)
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByText(`${email} is confirmed.`)).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await logInThroughForm(page, { ...una, username: email })
  await expect(page).toHaveURL(`/users/${una.username}`)

  await otherPage.goto(link)
  await expect(otherPage.getByText('The link is invalid or has expired.')).toBeVisible()
  await otherPage.goto('/confirm-email')
  await expect(otherPage.getByText('The link is invalid or has expired.')).toBeVisible()
})

/** Completes the provider's forms: login and consent. */
async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('x')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
