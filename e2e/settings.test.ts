/** Settings: each section on a phone and on a desktop window. */
import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { createAccount, logInForToken, logInThroughForm, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessibleAtBothWidths, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { waitForMailedLink } from './outbox.ts'
import type { Site } from './site-process.ts'

test.use({ viewport: { width: 390, height: 800 } })

test('a visitor is sent to log in and back to the settings section', async ({ page, site }) => {
  const ana = await createAccount(site)
  await page.goto('/settings/security')
  await expect(page).toHaveURL(/\/login\?redirect=%2Fsettings%2Fsecurity/)
  await logInThroughForm(page, ana)
  await expect(page).toHaveURL('/settings/security')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
})

test('changing the password ends the other sessions', async ({ page, otherPage, site, expectedNoise }) => {
  // Errors from the wrong password and from the ended session.
  expectedNoise.push(/40[01]/)
  const ana = await createAccount(site)
  await openSignedIn(otherPage, site, ana, `/users/${ana.username}`)
  await openSignedIn(page, site, ana, '/')

  await openSettings(page)
  await expect(page).toHaveURL('/settings/profile')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' }).click()
  await expect(page.getByText(ana.email)).toBeVisible()
  const change = page.getByRole('button', { name: 'Change password' })
  await change.click()
  await expect(page.getByLabel('Current Password')).toBeFocused()
  await change.click()
  await expect(page.getByText('New password is required.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await page.getByLabel('Current Password').fill('not my password')
  await page.getByLabel('New Password', { exact: true }).fill('the tide comes in twice a day')
  await page.getByLabel('Confirm New Password').fill('the tide comes in twice a day')
  await change.click()
  await expect(page.getByLabel('Current Password')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Current Password')).toBeFocused()
  await page.getByLabel('Current Password').fill(ana.password)
  await change.click()
  await expect(page.getByText('Your password has been changed.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)

  await otherPage.goto('/settings')
  await expect(otherPage).toHaveURL(/\/login/)
  await logInThroughForm(otherPage, { ...ana, password: 'the tide comes in twice a day' })
  await expect(otherPage).toHaveURL('/settings/profile')
})

test('a new e-mail address takes effect once its mailed link is opened', async ({ page, site }) => {
  const ana = await createAccount(site)
  await openSignedIn(page, site, ana, '/settings/account')
  const newEmail = `new-${ana.email}`
  for (const address of [`wrong-${ana.email}`, newEmail]) {
    await page.getByRole('button', { name: /Change email|Use a different email/ }).click()
    await page.getByLabel('New email address').fill(address)
    await page.getByRole('button', { name: 'Send confirmation' }).click()
    await expect(page.getByText(`We sent a link to ${address}`)).toBeVisible()
    if (address === newEmail) break
    await expectAccessibleAtBothWidths(page)
    await page.getByRole('button', { name: 'Cancel change' }).click()
    await expect(page.getByText('Confirm your new email')).toBeHidden()
  }
  await page.goto(await waitForMailedLink(site, newEmail, /\/confirm-email\//))
  await page.getByRole('main').getByRole('button').click()
  await expect(page.getByText(newEmail)).toBeVisible()
  await page.goto('/settings/account')
  await expect(page.getByText(newEmail)).toBeVisible()
  await expect(page.getByText('Confirm your new email')).toBeHidden()
})

test('notification and appearance settings are saved', async ({ page, site }) => {
  await openSignedIn(page, site, await createAccount(site), '/settings/notifications')
  const follows = page.getByRole('switch', { name: 'Someone follows you', exact: true })
  await expect(follows).toBeChecked()
  await Promise.all([
    page.waitForResponse((reply) => reply.request().method() === 'PATCH' && reply.ok()),
    follows.click(),
  ])
  await page.reload()
  await expect(follows).not.toBeChecked()
  await expect(
    page.getByRole('switch', { name: 'Someone likes one of your bookmarks', exact: true }),
  ).toBeChecked()

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Appearance' }).click()
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
  await page
    .getByRole('radio', { name: /^Light/ })
    .first()
    .check()
  await page.getByRole('radio', { name: /^Reduced/ }).check()
  await page.getByRole('button', { name: "I'm 18+. Show them" }).click()
  await page.getByRole('combobox', { name: 'Orientation' }).selectOption('trans')
  await expectAccessibleAtBothWidths(page)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'reduce')
  await expect(page.getByRole('radio', { name: /^Reduced/ })).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Orientation' })).toHaveValue('trans')
  await page.getByRole('button', { name: 'Hide adult thumbnails' }).click()
  await expect(page.getByRole('button', { name: "I'm 18+. Show them" })).toBeVisible()
})

test('an account is exported and imported into another account', async ({ page, otherPage, site }) => {
  const ana = await createAccount(site)
  await saveOne(site, ana, 'https://vimeo.com/390')
  await openSignedIn(page, site, ana, '/settings/data')
  await expect(page.getByText(/No exports yet/)).toBeVisible()
  await page.getByRole('button', { name: 'Create export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download export/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.json$/)
  await expectAccessibleAtBothWidths(page)

  await openSignedIn(otherPage, site, await createAccount(site, 'bob'), '/settings/data')
  await otherPage.getByLabel(/Choose a file/).setInputFiles(await download.path())
  await expect(otherPage.getByRole('heading', { name: "What's in the file" })).toBeVisible()
  await expect(otherPage.getByText(/^Reelmark, uploaded/)).toBeVisible()
  await expectAccessibleAtBothWidths(otherPage)
  await otherPage.getByRole('button', { name: 'Start import' }).click()
  await otherPage.getByRole('link', { name: 'A film that travels' }).click({ timeout: 60_000 })
  await expect(otherPage.getByRole('heading', { name: 'A film that travels' })).toBeVisible()
})

test('an account is exported with pictures as a zip file, which can be imported', async ({
  page,
  otherPage,
  site,
}) => {
  const ana = await createAccount(site)
  await saveOne(site, ana, 'https://vimeo.com/391')
  await openSignedIn(page, site, ana, '/settings/data')
  await page.getByLabel('Include pictures').check()
  await page.getByRole('button', { name: 'Create export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download export/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.zip$/)
  await openSignedIn(otherPage, site, await createAccount(site, 'bob'), '/settings/data')
  await otherPage.getByLabel(/Choose a file/).setInputFiles(await download.path())
  await otherPage.getByRole('button', { name: 'Start import' }).click()
  await otherPage.getByRole('link', { name: 'A film that travels' }).click({ timeout: 60_000 })
  await expect(otherPage.getByRole('heading', { name: 'A film that travels' })).toBeVisible()
})

test('a deleted account can no longer log in', async ({ page, site, expectedNoise }) => {
  expectedNoise.push(/40[0134]/)
  const ana = await createAccount(site)
  await openSignedIn(page, site, ana, '/settings/account')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByLabel('Your password')).toBeFocused()
  await expectAccessibleAtBothWidths(page)
  await page.getByLabel('Your password').fill('not my password')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Your password').fill(ana.password)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
  await page.goto('/login')
  await logInThroughForm(page, ana)
  await expect(page.getByText('Invalid username or password.')).toBeVisible()
})

/** Opens Settings from the account menu. */
async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
}

/** Saves a bookmark for the export through the API; another test covers the form. */
async function saveOne(site: Site, account: Account, source: string): Promise<void> {
  const token = await logInForToken(site, account)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const body: Input<typeof saveBookmark>['body'] = {
    video: { source_url: source, title: 'A film that travels', orientation: 'sfw', tags: ['travel'] },
    bookmark: { channel_id: results[0]?.channels[0]?.id ?? 0, access: 'private', tags: ['travel'] },
  }
  await call(httpTransport(site), saveBookmark, { body }, token)
}
