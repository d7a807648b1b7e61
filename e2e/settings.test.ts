/** Settings, as people use them: each section at both widths, with nothing faked but what would take 15 minutes. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { linkMailedTo } from './outbox.ts'
import { type Account, expect, expectAccessible, newAccount, registerBy, test } from './test.ts'

for (const width of [390, 1280]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 800 } })

    test('a visitor is led to the login, and back to the section', async ({ page, otherPage }) => {
      const ana = newAccount()
      await registerBy(otherPage, ana)
      await page.goto('/settings/security')
      await expect(page).toHaveURL(/\/login\?redirect=%2Fsettings%2Fsecurity/)
      await logIn(page, ana)
      await expect(page).toHaveURL('/settings/security')
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
    })

    test('a password is changed, which ends the session elsewhere', async ({
      page,
      otherPage,
      expectedNoise,
    }) => {
      // A wrong password, and what the ended session is answered.
      expectedNoise.push(/40[01]/)
      const ana = newAccount()
      await registerBy(page, ana)
      await otherPage.goto('/login')
      await logIn(otherPage, ana)
      await expect(otherPage).toHaveURL(`/users/${ana.username}`)

      await openSettings(page)
      await expect(page).toHaveURL('/settings/account')
      await expect(page.getByText(ana.email)).toBeVisible()
      await expectAccessible(page)
      const change = page.getByRole('button', { name: 'Change password' })
      await change.click()
      await expect(page.getByLabel('Current Password')).toBeFocused()
      await change.click()
      await expect(page.getByText('New password is required.')).toBeVisible()
      await expectAccessible(page)
      await page.getByLabel('Current Password').fill('not my password')
      await page.getByLabel('New Password', { exact: true }).fill('the tide comes in twice a day')
      await page.getByLabel('Confirm New Password').fill('the tide comes in twice a day')
      await change.click()
      await expect(page.getByLabel('Current Password')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByLabel('Current Password')).toBeFocused()
      await page.getByLabel('Current Password').fill(ana.password)
      await change.click()
      await expect(page.getByText('Your password has been changed.')).toBeVisible()
      await expectAccessible(page)

      await otherPage.goto('/settings')
      await expect(otherPage).toHaveURL(/\/login/)
      await logIn(otherPage, { ...ana, password: 'the tide comes in twice a day' })
      await expect(otherPage).toHaveURL('/settings/account')
    })

    test('another address counts once its mail was followed', async ({ page, site }) => {
      const ana = newAccount()
      await registerBy(page, ana)
      await page.goto('/settings/account')
      const wanted = `new-${ana.email}`
      for (const address of [`wrong-${ana.email}`, wanted]) {
        await page.getByRole('button', { name: /Change email|Use another address/ }).click()
        await page.getByLabel('New email address').fill(address)
        await page.getByRole('button', { name: 'Send confirmation' }).click()
        await expect(page.getByText(`A mail with a link was sent to ${address}`)).toBeVisible()
        if (address === wanted) break
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Cancel this change' }).click()
        await expect(page.getByText('Waiting to be confirmed')).toBeHidden()
      }
      await page.goto(await linkMailedTo(site, wanted, /\/confirm-email\//))
      await page.getByRole('main').getByRole('button').click()
      await expect(page.getByText(wanted)).toBeVisible()
      await page.goto('/settings/account')
      await expect(page.getByText(wanted)).toBeVisible()
      await expect(page.getByText('Waiting to be confirmed')).toBeHidden()
    })

    test('a session is ended from another device', async ({ page, otherPage, expectedNoise }) => {
      expectedNoise.push(/40[01]/)
      const ana = newAccount()
      await registerBy(page, ana)
      await otherPage.goto('/login')
      await logIn(otherPage, ana)
      await expect(otherPage).toHaveURL(`/users/${ana.username}`)
      await page.goto('/settings/security')
      await expect(page.getByText('This device')).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'End all other sessions' }).click()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: /^End the session/ }).click()
      await expect(page.getByRole('button', { name: /^End the session/ })).toBeHidden()
      await otherPage.goto('/settings')
      await expect(otherPage).toHaveURL(/\/login/)

      await page.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: 'Log out' }).click()
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
    })

    test('an authenticator app is set up by a real code, by keyboard alone', async ({
      page,
      expectedNoise,
    }) => {
      expectedNoise.push(/400/)
      const ana = newAccount()
      await registerBy(page, ana)
      await page.goto('/settings/security')
      await page.getByRole('button', { name: 'Set up' }).focus()
      await page.keyboard.press('Enter')
      const field = page.getByLabel('Code from the app')
      await expect(field).toBeFocused()
      await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
      await expectAccessible(page)
      const link = await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')
      const secret = new URL(link ?? '').searchParams.get('secret') ?? ''
      await page.keyboard.type('12')
      await page.keyboard.press('Enter')
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await field.fill('')
      await page.keyboard.type(new TOTP({ secret }).generate())
      await page.keyboard.press('Enter')
      const codes = page.getByRole('dialog', { name: 'Keep your recovery codes' })
      await expect(codes.getByRole('listitem')).toHaveCount(10)
      await expect(codes.getByRole('button', { name: 'Copy' })).toBeFocused()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(codes.getByText('They cannot be shown again.')).toBeVisible()
      await expect(codes.getByRole('listitem').first()).toBeVisible()
      await expectAccessible(page)
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
      await expectAccessible(page)

      const group = page.getByRole('region', { name: 'Authenticator app' })
      await group.getByRole('button', { name: 'Remove' }).press('Enter')
      const removing = page.getByRole('dialog', { name: 'Remove the authenticator app?' })
      await expect(removing.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await expectAccessible(page)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(group.getByRole('button', { name: 'Set up' })).toBeFocused()
      await expect(page.getByText('10 of 10 left')).toBeHidden()
    })

    test('notices and appearance are as they were left', async ({ page }) => {
      await registerBy(page, newAccount())
      await page.goto('/settings/notifications')
      const follows = page.getByRole('switch', { name: 'Somebody follows you' })
      await expect(follows).toBeChecked()
      await expectAccessible(page)
      await Promise.all([
        page.waitForResponse((reply) => reply.request().method() === 'PATCH' && reply.ok()),
        follows.click(),
      ])
      await page.reload()
      await expect(follows).not.toBeChecked()
      await expect(page.getByRole('switch', { name: /^Somebody likes/ })).toBeChecked()

      await page
        .getByRole('navigation', { name: 'Settings' })
        .getByRole('link', { name: 'Appearance' })
        .click()
      await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
      await expectAccessible(page)
      await page
        .getByRole('radio', { name: /^Light/ })
        .first()
        .check()
      await page.getByRole('radio', { name: /^Reduce/ }).check()
      await page.getByRole('button', { name: 'I am 18 or older, show them' }).click()
      await page.getByRole('combobox', { name: 'Orientation' }).selectOption('trans')
      await expectAccessible(page)
      await page.reload()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
      await expect(page.locator('html')).toHaveAttribute('data-motion', 'reduce')
      await expect(page.getByRole('radio', { name: /^Reduce/ })).toBeChecked()
      await expect(page.getByRole('combobox', { name: 'Orientation' })).toHaveValue('trans')
      await page.getByRole('button', { name: 'Cover them again' }).click()
      await expect(page.getByRole('button', { name: 'I am 18 or older, show them' })).toBeVisible()
    })

    test('everything is downloaded, and brought into another account', async ({ page, otherPage, site }) => {
      const ana = newAccount()
      await registerBy(page, ana)
      await saveOne(page, site.url, `https://vimeo.com/${width}`)
      await page.goto('/settings/data')
      await expect(page.getByText(/Nothing prepared yet/)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Prepare a download' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^Download the file/ }).click({ timeout: 30_000 }),
      ])
      expect(download.suggestedFilename()).toMatch(/\.json$/)
      await expectAccessible(page)

      await registerBy(otherPage, newAccount('bob'))
      await otherPage.goto('/settings/data')
      const input = otherPage.getByLabel(/Choose a file/)
      const file = (buffer: Buffer) => ({ name: 'export.json', mimeType: 'application/json', buffer })
      await input.setInputFiles(file(Buffer.from('{"format":"other"}')))
      await expect(otherPage.getByText(/This is not a file of Reelmark/)).toBeVisible()
      await expectAccessible(otherPage)
      await input.setInputFiles(file(await readFile(await download.path())))
      await expect(otherPage.getByText(`From ${ana.username}`)).toBeVisible()
      await expectAccessible(otherPage)
      await otherPage.getByRole('button', { name: 'Bring it in' }).click()
      await expect(otherPage.getByText(/^1 added/)).toBeVisible({ timeout: 30_000 })
      await expectAccessible(otherPage)
      await otherPage.getByRole('link', { name: 'See your profile' }).click()
      await expect(otherPage.getByRole('main').getByText('A film that travels')).toBeVisible()
    })

    test('a token works for a script until it is removed', async ({ page, site, expectedNoise }) => {
      expectedNoise.push(/403/)
      const ana = newAccount()
      await registerBy(page, ana)
      await page.goto('/settings/tokens')
      await expect(page.getByText(/No token yet/)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Create a token' }).click()
      await expectAccessible(page)
      await page.getByLabel('Name').fill('Backup script')
      // As it is a quarter of an hour after signing in.
      await page.route(
        '**/api/auth/tokens/',
        (route) => route.fulfill({ status: 403, json: { detail: 'x', confirm: ['password'] } }),
        { times: 1 },
      )
      await page.getByRole('button', { name: 'Create token' }).click()
      await expect(page.getByLabel('Your password')).toBeFocused()
      await expectAccessible(page)
      await page.getByLabel('Your password').fill(ana.password)
      await page.getByRole('button', { name: 'Confirm' }).click()
      const token = await page.getByText(/^rmk_\w{20,}/).textContent()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByText(/^rmk_\w{20,}/)).toBeHidden()
      await expect(page.getByRole('list', { name: 'Tokens' })).toContainText('Backup script')
      await expectAccessible(page)

      const ask = async () =>
        (await fetch(`${site.url}/api/collections/`, { headers: { authorization: `Bearer ${token}` } }))
          .status
      expect(await ask()).toBe(200)
      await page.getByRole('button', { name: 'Remove Backup script' }).click()
      await page.getByRole('button', { name: 'Remove it' }).click()
      await expect(page.getByText(/No token yet/)).toBeVisible()
      expect(await ask()).toBe(401)
    })

    test('an account is deleted, and its name leads nowhere', async ({ page, expectedNoise }) => {
      expectedNoise.push(/40[0134]/)
      const ana = newAccount()
      await registerBy(page, ana)
      await page.goto('/settings/account')
      await page.getByRole('button', { name: 'Delete account' }).click()
      await expect(page.getByLabel('Your password')).toBeFocused()
      await expectAccessible(page)
      await page.getByLabel('Your password').fill('not my password')
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expect(page.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true')
      await page.getByLabel('Your password').fill(ana.password)
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expect(page).toHaveURL('/')
      await expect(page.getByText('Your account has been deleted.')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
      await page.goto('/login')
      await logIn(page, ana)
      await expect(page.getByText('Invalid username or password.')).toBeVisible()
    })
  })
}

async function logIn(page: Page, { username, password }: Account): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}

/** From wherever one is, by the header or its menu. */
async function openSettings(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' })
  const link = page.getByRole('link', { name: 'Settings' })
  await expect(menu.or(link).first()).toBeVisible()
  if (!(await link.isVisible())) await menu.click()
  await link.click()
}

/** What forms of others do: something that is worth taking along. */
async function saveOne(page: Page, url: string, source: string): Promise<void> {
  const access = await page.evaluate(() => localStorage.getItem('access'))
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' }
  const [vault] = (await (await fetch(`${url}/api/collections/`, { headers })).json()).results
  const body = {
    video: {
      source_url: source,
      title: 'A film that travels',
      thumbnail_url: '',
      embed_url: '',
      orientation: 'sfw',
      tags: ['travel'],
    },
    bookmark: { channel_id: vault.channels[0].id, description: '', access: 'private', tags: ['travel'] },
  }
  const reply = await fetch(`${url}/api/bookmarks/`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(reply.status, await reply.text()).toBe(201)
}
