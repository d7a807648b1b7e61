/** People with accounts: made without a form where the form is not what a journey is about. */
import type { Page } from '@playwright/test'
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
import type { Site } from './site-process.ts'

/** An account that is nobody else's, made by a call. */
export async function createAccount(site: Site, prefix?: string): Promise<Account> {
  const account = newAccount(prefix)
  await call(httpTransport(site), register, { body: { ...account, password2: account.password } })
  return account
}

/** What a call carries that somebody makes right after logging in. */
export async function logInForToken(
  site: Site,
  { username, password }: Account,
): Promise<Record<string, string>> {
  const { access } = await call(httpTransport(site), logIn, { body: { username, password } })
  return { authorization: `Bearer ${access}` }
}

/**
 * Comes to a page as somebody who is signed in already: with a session of the browser's own, which no form was asked
 * for. What the browser has kept besides stays.
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
  // Nothing of ours runs there, only its origin counts.
  await page.goto('/robots.txt')
  await page.evaluate((kept) => Object.assign(localStorage, kept), {
    access,
    refresh,
    token_expiry,
    user,
    username,
  })
  await page.goto(path)
  await expect(page).toHaveURL(path)
}

/** Films of somebody's own, in the channel that everybody starts with. */
export async function saveFilms(site: Site, account: Account, count: number): Promise<void> {
  const token = await logInForToken(site, account)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const channel_id = results[0]?.channels[0]?.id ?? 0
  for (let n = 1; n <= count; n++) {
    const video = {
      source_url: `https://films.example.org/${account.username}/${n}`,
      title: `Film ${n}`,
      orientation: 'sfw' as const,
    }
    await call(httpTransport(site), saveBookmark, { body: { video, bookmark: { channel_id } } }, token)
  }
}

/** The code of an authenticator app, `steps` times 30 seconds from now. Each is good once. */
export function totpCode(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Sets up an authenticator app; its code of now is used up. */
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

/** What a device that keeps passkeys does when it is asked. */
export interface VirtualAuthenticator {
  /** Whether the owner shows who they are, by a finger or a PIN. */
  setUserVerified(isOwner: boolean): Promise<void>
}

/**
 * Gives the page's browser a device that keeps passkeys, and whose owner always says yes: on /login, which has the
 * browser suggest them, one is signed in at once.
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

/** Adds a passkey of the page's browser to an account. The page must be at the site. */
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
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

/** Logs in by the form that is shown, and sends it. */
export async function logInThroughForm(page: Page, account: Account): Promise<void> {
  await fillLogin(page, account)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}

/**
 * From another page than home, so that arriving there tells that it is done; and from one that asks for nothing
 * meanwhile, which would be refused.
 */
export async function logOut(page: Page): Promise<void> {
  await page.route(unreadStreamUrl, () => {})
  await page.goto('/contact')
  await waitForIdle(page)
  const menu = page.getByRole('button', { name: /menu/i })
  const button = page.getByRole('button', { name: 'Log out' })
  await expect(menu.or(button).first()).toBeVisible()
  if (!(await button.isVisible())) await menu.click()
  await button.click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
  await page.unroute(unreadStreamUrl)
}
