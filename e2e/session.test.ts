/** Sessions in the browser: protected pages, several tabs, and sessions that end elsewhere. */
import type { Page } from '@playwright/test'
import { endOtherSessions } from '@reelmark/contract/accounts.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, logInThroughForm, logOut, openSignedIn } from './accounts.ts'
import {
  type Account,
  expect,
  expectAccessible,
  newAccount,
  test,
  unreadStreamUrl,
  waitForIdle,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { runAdmin, type Site } from './site-process.ts'

/**
 * Opens a static page as a signed-in user and leaves the notification stream unanswered. The stream is the only request
 * that would otherwise notice an ended session before the user does anything.
 */
async function openIdlePage(page: Page, site: Site, account: Account): Promise<void> {
  await page.route(unreadStreamUrl, () => {})
  // The first page load of a tab makes one-time requests; after a reload only the stream is requested.
  await Promise.all([page.waitForRequest(unreadStreamUrl), openSignedIn(page, site, account, '/contact')])
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).not.toBeNull()
  await Promise.all([page.waitForRequest(unreadStreamUrl), page.reload()])
}

/** Clicks Explore without moving the pointer near it, which would already preload the page. */
async function clickExplore(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Explore' }).dispatchEvent('click')
}

const profileUrl = (account: Account) => new RegExp(`/users/${account.username}$`)

test('logging in leads to the page a visitor requested, but never to another site', async ({
  page,
  site,
}) => {
  const eve = await createAccount(site, 'eve')
  for (const requested of ['/moderator', '/bookmarks/create?url=https%3A%2F%2Fvimeo.com%2F1']) {
    await page.goto(requested)
    await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(requested)}`)
  }
  await logInThroughForm(page, eve)
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/bookmarks\/create/)
  // The login page redirects signed-in users in the same way.
  await page.goto('/login?redirect=%2Fexplore%3Fpage%3D2')
  await expect(page).toHaveURL('/explore?page=2')
  const unsafe = [
    '//evil.example/',
    'https://evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    '/login?redirect=/login',
  ]
  for (const bad of unsafe) {
    await page.goto(`/login?redirect=${encodeURIComponent(bad)}`)
    await expect(page, bad).toHaveURL(profileUrl(eve))
  }
  await page.goto('/register')
  await expect(page).toHaveURL(profileUrl(eve))
})

test('two tabs share one session: one refresh for both, and a logout reaches both', async ({
  page,
  context,
  site,
}) => {
  const flo = await createAccount(site, 'flo')
  await openSignedIn(page, site, flo, `/users/${flo.username}`)
  let refreshes = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/api/token/refresh/')) refreshes += 1
  })
  const before = await page.evaluate(() => {
    localStorage.setItem('token_expiry', new Date().toISOString())
    return localStorage.getItem('refresh')
  })
  const second = await context.newPage()
  await Promise.all([page.reload(), second.goto('/bookmarks/create')])
  await expect(second.getByRole('heading', { name: 'Add Bookmark' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('refresh'))).not.toBe(before)
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await waitForIdle(page)
  expect(refreshes).toBe(1)

  await logOut(page)
  await expect(second).toHaveURL('/login?redirect=%2Fbookmarks%2Fcreate')
  await logInThroughForm(second, flo)
  await expect(second).toHaveURL(/\/bookmarks\/create/)
  await expect(page.getByRole('link', { name: 'My Vault' })).toBeVisible()
})

test('a session that ended elsewhere leads to the login at the next request', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/401/)
  const gil = await createAccount(site, 'gil')
  await openIdlePage(page, site, gil)
  await call(httpTransport(site), endOtherSessions, {}, await logInForToken(site, gil))
  await clickExplore(page)
  await expect(page).toHaveURL('/login?redirect=%2Fexplore')
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).not.toContain('refresh')
  await logInThroughForm(page, gil)
  await expect(page).toHaveURL('/explore')
})

test('a banned user is logged out at the next request and sees the reason when logging in', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/401/, /403/)
  const hal = await createAccount(site, 'hal')
  await openIdlePage(page, site, hal)
  await runAdmin(site, 'ban', hal.username)
  await clickExplore(page)
  await expect(page).toHaveURL(/\/login/)
  await logInThroughForm(page, hal)
  await expect(page.getByText('This account is banned.')).toBeVisible()
  await expectAccessible(page)
})

test('moderators are asked to set up a second factor, and a demoted one is sent home', async ({
  page,
  site,
  expectedNoise,
}) => {
  // The browser polls the case count before it learns that the user is no longer a moderator.
  expectedNoise.push(/403/)
  const mo = newAccount('mo')
  await runAdmin(
    { ...site, input: mo.password },
    'create-user',
    mo.username,
    '--email',
    mo.email,
    '--moderator',
  )
  await page.goto('/login?redirect=%2Fcareers')
  await logInThroughForm(page, mo)
  await expect(page).toHaveURL('/careers')
  await expect(page.getByRole('link', { name: 'Set up' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(page.getByRole('link', { name: 'Set up' })).toHaveCount(0)
  await expect(page.locator('body').locator(':focus')).toHaveCount(1)
  await page.reload()
  await page.getByRole('link', { name: 'Moderator Tools' }).click()
  await expect(page).toHaveURL('/moderator')
  // Later means tomorrow, on every page.
  await expect(page.getByRole('button', { name: 'Filter' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Set up' })).toHaveCount(0)
  await expectAccessible(page)

  await runAdmin(site, 'demote', mo.username)
  await page.reload()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Access denied: Moderator privileges required')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Moderator Tools' })).toHaveCount(0)
  await expectAccessible(page)
})

test('an ended session is cleared on page load, but kept while the server cannot be reached', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/401/, /503/)
  const ivy = await createAccount(site, 'ivy')
  await openSignedIn(page, site, ivy, '/careers')
  const expireToken = () => page.evaluate(() => localStorage.setItem('token_expiry', '2026-01-01T00:00:00Z'))
  await expireToken()
  await page.route('**/api/token/refresh/', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/careers')
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await page.unroute('**/api/token/refresh/')
  await page.evaluate(() => localStorage.setItem('refresh', 'spent'))
  await page.goto('/careers')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([])
})
