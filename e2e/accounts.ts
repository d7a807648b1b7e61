/** Helpers that create accounts and sign in, through the API unless the form is the subject of the test. */
import type { Page } from '@playwright/test'
import { confirmEmail } from '@reelmark/contract/account-settings.ts'
import { logIn, register } from '@reelmark/contract/accounts.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { addPasskey, beginAddingPasskey } from '@reelmark/contract/passkeys.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { beginAuthenticator, confirmAuthenticator } from '@reelmark/contract/second-factor.ts'
import { Secret, TOTP } from 'otpauth'
import { type Account, expect, newAccount, unreadStreamUrl, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { waitForMailedLink } from './outbox.ts'
import type { Site } from './site-process.ts'

/** Registers an account with a unique username through the API. */
export async function createAccount(site: Site, prefix?: string): Promise<Account> {
  const account = newAccount(prefix)
  await call(httpTransport(site), register, { body: { ...account, password2: account.password } })
  return account
}

/** Registers an account through the API and confirms its address with the mailed link. */
export async function createConfirmedAccount(site: Site, prefix?: string): Promise<Account> {
  const account = await createAccount(site, prefix)
  const link = await waitForMailedLink(site, account.email, /\/confirm-email\//)
  await call(httpTransport(site), confirmEmail, { body: { token: link.split('/').at(-1) ?? '' } })
  return account
}

/** Logs in through the API and returns the authorization header of the new session. */
export async function logInForToken(
  site: Site,
  { username, password }: Account,
): Promise<Record<string, string>> {
  const { access } = await call(httpTransport(site), logIn, { body: { username, password } })
  return { authorization: `Bearer ${access}` }
}

/**
 * Opens a page as a signed-in user. The session is created through the API and put into local storage; other stored
 * values are left as they are.
 */
export async function openSignedIn(
  page: Page,
  site: Site,
  { username, password }: Account,
  path: string,
): Promise<void> {
  const { access, refresh } = await call(httpTransport(site), logIn, { body: { username, password } })
  const token_expiry = new Date(Date.now() + limits.rememberedSessionSeconds * 1000).toISOString()
  const authorization = `Bearer ${access}`
  const profile = await call(httpTransport(site), getProfile, { params: { username } }, { authorization })
  const { user_id: id, is_moderator } = profile
  const user = JSON.stringify({ id, username, is_moderator, profile })
  // Local storage belongs to an origin, so a page of the site must be open; this one runs no script.
  await page.goto(`${site.url}/robots.txt`)
  await page.evaluate((session) => Object.assign(localStorage, session), {
    access,
    refresh,
    token_expiry,
    user,
    username,
  })
  await page.goto(path)
  await expect(page).toHaveURL(path)
}

/**
 * Saves `count` videos titled 'Film 1', 'Film 2', … to the account's default channel. Returns the ids of the last bookmark,
 * of its video and of the collection.
 */
export async function saveFilms(
  site: Site,
  account: Account,
  count: number,
): Promise<{ bookmark: number; video: number; collection: number }> {
  const token = await logInForToken(site, account)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const channel_id = results[0]?.channels[0]?.id ?? 0
  let last = { bookmark: 0, video: 0 }
  for (let n = 1; n <= count; n++) {
    const video = {
      source_url: `https://films.example.org/${account.username}/${n}`,
      title: `Film ${n}`,
      orientation: 'sfw' as const,
    }
    const body = { video, bookmark: { channel_id } }
    const saved = await call(httpTransport(site), saveBookmark, { body }, token)
    last = { bookmark: saved.id, video: saved.video.id }
  }
  return { ...last, collection: results[0]?.id ?? 0 }
}

/** Returns the authenticator code for the moment `steps` × 30 seconds from now. Each code is accepted once. */
export function totpCode(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Sets up an authenticator app. This uses up the current code. */
export async function setUpAuthenticator(
  site: Site,
  account: Account,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const token = await logInForToken(site, account)
  const { secret } = await call(httpTransport(site), beginAuthenticator, {}, token)
  const body = { verification_code: totpCode(secret) }
  const { recovery_codes } = await call(httpTransport(site), confirmAuthenticator, { body }, token)
  return { secret, recoveryCodes: recovery_codes ?? [] }
}

/** A simulated device that stores passkeys. */
export interface VirtualAuthenticator {
  /** Sets whether the device verifies its user, for example by fingerprint or PIN. */
  setUserVerified(isUserVerified: boolean): Promise<void>
}

/**
 * Adds a simulated passkey device to the page's browser. It confirms every request at once, so opening /login, where
 * the browser offers passkeys, logs in immediately.
 */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setUserVerified(isUserVerified) {
      await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

/** Adds a passkey to an account with the page's simulated device. The page must be on the site. */
export async function registerPasskey(page: Page, site: Site, account: Account): Promise<void> {
  const token = await logInForToken(site, account)
  const { ticket, options } = await call(httpTransport(site), beginAddingPasskey, {}, token)
  const credential = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
    const created = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return { ...created.toJSON() }
  }, options)
  await call(httpTransport(site), addPasskey, { body: { ticket, credential, name: 'Laptop' } }, token)
}

export async function fillLogin(page: Page, { username, password }: Account): Promise<void> {
  // The previous page may still be shown, and Settings has a section of this name.
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

/** Fills in and submits the login form of the current page. */
export async function logInThroughForm(page: Page, account: Account): Promise<void> {
  await fillLogin(page, account)
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
}

/**
 * Logs out from /contact. Arriving on the home page then shows that the logout is complete. The notification stream is
 * blocked, because a request after the logout would be refused and logged as an error.
 */
export async function logOut(page: Page): Promise<void> {
  await page.route(unreadStreamUrl, () => {})
  await page.goto('/contact')
  await waitForIdle(page)
  const menu = page.getByRole('button', { name: 'Account' })
  const button = page.getByRole('button', { name: 'Log out' })
  await expect(menu.or(button).first()).toBeVisible()
  if (!(await button.isVisible())) await menu.click()
  await button.click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
  await page.unroute(unreadStreamUrl)
}
