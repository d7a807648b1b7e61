/** Signing in: by a password, with a second step, by a passkey, and through another site. */
import {
  addPasskeyBy,
  anAccount,
  codeOf,
  giveAuthenticator,
  logInBy,
  logOut,
  setUpAuthenticator,
} from './people.ts'
import { expect, expectAccessible, test } from './test.ts'

for (const width of [390, 1280]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 800 } })

    test('who has set up an authenticator app logs in by a code of it, or by a recovery code', async ({
      page,
      site,
      expectedNoise,
    }) => {
      // The second step that a right password leads to, and a wrong code.
      expectedNoise.push(/403/, /400/)
      const ada = await anAccount(site, 'ada')
      const { secret, recoveryCodes } = await setUpAuthenticator(site, ada)

      await page.goto('/login?redirect=%2Fexplore%3Fsort%3Drandom')
      await page.getByLabel('Keep me logged in for a week').uncheck()
      await logInBy(page, ada)
      const code = page.getByLabel('Authenticator code')
      await expect(code).toBeFocused()
      await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
      await expectAccessible(page)
      await code.fill('000000')
      await page.getByRole('button', { name: 'Log in' }).last().click()
      await expect(code).toHaveAttribute('aria-invalid', 'true')
      await expect(code).toHaveValue('000000')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Back to the password' }).click()
      await expect(page.getByLabel('Username')).toHaveValue(ada.username)
      await expect(page.getByLabel('Keep me logged in for a week')).not.toBeChecked()
      await page.getByLabel('Password', { exact: true }).press('Enter')
      await code.fill(codeOf(secret, 1))
      await code.press('Enter')
      await expect(page).toHaveURL(/\/explore\?sort=random/)
      // Kept where the box for a week said, through both steps.
      expect(await page.evaluate(() => [localStorage.length, sessionStorage.getItem('username')])).toEqual([
        0,
        ada.username,
      ])

      await logOut(page)
      await page.goto('/login')
      await logInBy(page, ada)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await expect(page.getByLabel('Recovery code')).toBeFocused()
      await expectAccessible(page)
      await page.getByLabel('Recovery code').fill((recoveryCodes[0] ?? '').toUpperCase())
      await page.getByLabel('Recovery code').press('Enter')
      await expect(page).toHaveURL(`/users/${ada.username}`)
    })

    test('a passkey is a way in by itself, and a second step', async ({ page, site, expectedNoise }) => {
      expectedNoise.push(/403/)
      const bo = await anAccount(site, 'bo')
      await page.goto('/explore')
      const device = await giveAuthenticator(page)
      await addPasskeyBy(page, site, bo)

      await device.verifies(false)
      await page.goto('/login?redirect=%2Fexplore')
      const passkey = page.getByRole('button', { name: 'Sign in with a passkey' })
      await passkey.click()
      // The device refused: nothing is said, and one can go on.
      await expect(passkey).toBeEnabled()
      await expect(passkey).toBeFocused()
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expectAccessible(page)
      await device.verifies(true)
      await passkey.click()
      await expect(page).toHaveURL('/explore')
      await logOut(page)

      // Nobody is there to choose what the browser suggests.
      await device.answers(false)
      await page.goto('/login')
      await logInBy(page, bo)
      const second = page.getByRole('button', { name: 'Use a passkey' })
      await expect(second).toBeFocused()
      await expectAccessible(page)
      await device.answers(true)
      await second.click()
      await expect(page).toHaveURL(`/users/${bo.username}`)

      await logOut(page)
      await page.goto('/login')
      // Chosen from what the browser suggests, as this device always does.
      await expect(page).toHaveURL(`/users/${bo.username}`)
    })
  })
}
