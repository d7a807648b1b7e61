/** Settings: sessions, authenticator app, passkeys and access tokens, with real codes and a simulated passkey device. */
import { readFile } from 'node:fs/promises'
import { addVirtualAuthenticator, createAccount, openSignedIn, totpCode } from './accounts.ts'
import { expect, expectAccessibleAtBothWidths, test } from './fixtures.ts'

test.use({ viewport: { width: 1280, height: 800 } })

test('a session is ended from another device', async ({ page, otherPage, site, expectedNoise }) => {
  expectedNoise.push(/40[01]/)
  const ana = await createAccount(site)
  await openSignedIn(otherPage, site, ana, `/users/${ana.username}`)
  await openSignedIn(page, site, ana, '/settings/security')
  await expect(page.getByText('This device')).toBeVisible()
  await page.getByRole('button', { name: 'Log out all other sessions' }).click()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: /^Log out (?!all)/ }).click()
  await expect(page.getByRole('button', { name: /^Log out (?!all)/ })).toBeHidden()
  await otherPage.goto('/settings')
  await expect(otherPage).toHaveURL(/\/login/)

  await page.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
})

test('an authenticator app is set up with a real code by keyboard', async ({ page, site, expectedNoise }) => {
  expectedNoise.push(/400/)
  await openSignedIn(page, site, await createAccount(site), '/settings/security')
  await page.getByRole('button', { name: 'Set up' }).focus()
  await page.keyboard.press('Enter')
  const field = page.getByLabel('Code from the app')
  await expect(field).toBeFocused()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  const link = await page.getByRole('link', { name: 'Open your app' }).getAttribute('href')
  const secret = new URL(link ?? '').searchParams.get('secret') ?? ''
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill('')
  await page.keyboard.type(totpCode(secret))
  await page.keyboard.press('Enter')
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expect(codes.getByRole('button', { name: 'Copy' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(codes.getByText("You won't see these codes again.")).toBeVisible()
  await expect(codes.getByRole('listitem').first()).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    codes.getByRole('button', { name: 'Download .txt' }).press('Enter'),
  ])
  const first = await codes.getByRole('listitem').first().textContent()
  expect(await readFile(await download.path(), 'utf8')).toContain(first)
  await codes.getByRole('checkbox').press('Space')
  await codes.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(codes).toBeHidden()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await expectAccessibleAtBothWidths(page)

  const group = page.getByRole('region', { name: 'Authenticator app' })
  await group.getByRole('button', { name: 'Remove' }).press('Enter')
  const removing = page.getByRole('dialog', { name: 'Remove the authenticator app?' })
  await expect(removing.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessibleAtBothWidths(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(group.getByRole('button', { name: 'Set up' })).toBeFocused()
  await expect(page.getByText('10 of 10 left')).toBeHidden()
})

test('a passkey is added, renamed and removed, and used for reauthentication', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/403/)
  await addVirtualAuthenticator(page)
  await openSignedIn(page, site, await createAccount(site), '/settings/security')
  await expect(page.getByText(/No passkeys yet/)).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Windows computer')
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await codes.getByRole('checkbox').check()
  await codes.getByRole('button', { name: 'Done' }).click()
  const list = page.getByRole('list', { name: 'Passkeys' })
  await expect(list).toContainText('Windows computer')
  await page.getByRole('button', { name: 'Rename Windows computer' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Blue laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(list).toContainText('Blue laptop')
  await expectAccessibleAtBothWidths(page)

  await page.route(
    '**/api/auth/passkeys/*/',
    (route) =>
      route.fulfill({
        status: 403,
        json: { detail: 'x', code: 'reauthentication-required', methods: ['password', 'passkey'] },
      }),
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Remove Blue laptop' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText(/No passkeys yet/)).toBeVisible()
})

test('an access token works until it is revoked', async ({ page, site, expectedNoise }) => {
  expectedNoise.push(/403/)
  const ana = await createAccount(site)
  await openSignedIn(page, site, ana, '/settings/tokens')
  await expect(page.getByText(/No tokens yet/)).toBeVisible()
  await page.getByRole('button', { name: 'Create a token' }).click()
  await expectAccessibleAtBothWidths(page)
  await page.getByLabel('Name').fill('Backup script')
  // Simulates that the last reauthentication is more than 15 minutes ago.
  await page.route(
    '**/api/auth/tokens/',
    (route) =>
      route.fulfill({
        status: 403,
        json: { detail: 'x', code: 'reauthentication-required', methods: ['password'] },
      }),
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByLabel('Your password')).toBeFocused()
  await expectAccessibleAtBothWidths(page)
  await page.getByLabel('Your password').fill(ana.password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  const token = await page.getByText(/^rmk_[\w-]{20,}/).textContent()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(/^rmk_[\w-]{20,}/)).toBeHidden()
  await expect(page.getByRole('list', { name: 'Tokens' })).toContainText('Backup script')
  await expectAccessibleAtBothWidths(page)

  const requestStatus = async () =>
    (await fetch(`${site.url}/api/collections/`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await requestStatus()).toBe(200)
  await page.getByRole('button', { name: 'Revoke Backup script' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText(/No tokens yet/)).toBeVisible()
  await expect(page.getByRole('main').locator(':focus')).toContainText('No tokens yet')
  expect(await requestStatus()).toBe(401)
})
