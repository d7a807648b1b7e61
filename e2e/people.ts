/** People with accounts: made without a form where the form is not what a journey is about. */
import type { Page } from '@playwright/test'
import { logIn, register } from '@reelmark/contract/accounts.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { call } from '@reelmark/contract/call.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { addPasskey, beginPasskey } from '@reelmark/contract/passkeys.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { beginAuthenticator, confirmAuthenticator } from '@reelmark/contract/second-factor.ts'
import { Secret, TOTP } from 'otpauth'
import { over } from './over.ts'
import type { Site } from './site.ts'
import { type Account, bellStream, everythingCame, expect, newAccount } from './test.ts'

/** An account that is nobody else's, made by a call. */
export async function anAccount(site: Site, prefix?: string): Promise<Account> {
  const account = newAccount(prefix)
  await call(over(site), register, { body: { ...account, password2: account.password } })
  return account
}

/** What a call carries that somebody makes right after logging in. */
export async function tokenOf(site: Site, { username, password }: Account): Promise<Record<string, string>> {
  const { access } = await call(over(site), logIn, { body: { username, password } })
  return { authorization: `Bearer ${access}` }
}

/**
 * Comes to a page as somebody who is signed in already: with a session of the browser's own, which no form was asked
 * for. What the browser has kept besides stays.
 */
export async function comesIn(
  page: Page,
  site: Site,
  { username, password }: Account,
  path: string,
): Promise<void> {
  const { access, refresh } = await call(over(site), logIn, { body: { username, password } })
  const token_expiry = new Date(Date.now() + limits.rememberedSessionSeconds * 1000).toISOString()
  const authorization = `Bearer ${access}`
  const profile = await call(over(site), getProfile, { params: { username } }, { authorization })
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
  const token = await tokenOf(site, account)
  const { results } = await call(over(site), listCollections, { query: {} }, token)
  const channel_id = results[0]?.channels[0]?.id ?? 0
  for (let n = 1; n <= count; n++) {
    const video = {
      source_url: `https://films.example.org/${account.username}/${n}`,
      title: `Film ${n}`,
      orientation: 'sfw' as const,
    }
    await call(over(site), saveBookmark, { body: { video, bookmark: { channel_id } } }, token)
  }
}

/** The code of an authenticator app, `steps` times 30 seconds from now. Each is good once. */
export function codeOf(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Sets up an authenticator app; its code of now is used up. */
export async function setUpAuthenticator(
  site: Site,
  account: Account,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const token = await tokenOf(site, account)
  const { secret } = await call(over(site), beginAuthenticator, {}, token)
  const body = { code: codeOf(secret) }
  const { recovery_codes } = await call(over(site), confirmAuthenticator, { body }, token)
  return { secret, recoveryCodes: recovery_codes ?? [] }
}

/** What a device that keeps passkeys does when it is asked. */
export interface Authenticator {
  /** Whether the owner shows who they are, by a finger or a PIN. */
  verifies(isOwner: boolean): Promise<void>
}

/**
 * Gives the page's browser a device that keeps passkeys, and whose owner always says yes: on /login, which has the
 * browser suggest them, one is signed in at once.
 */
export async function giveAuthenticator(page: Page): Promise<Authenticator> {
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
    async verifies(isUserVerified) {
      await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

/** Adds a passkey of the page's browser to an account. The page must be at the site. */
export async function addPasskeyBy(page: Page, site: Site, account: Account): Promise<void> {
  const token = await tokenOf(site, account)
  const { ticket, options } = await call(over(site), beginPasskey, {}, token)
  const credential = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return { ...made.toJSON() }
  }, options)
  await call(over(site), addPasskey, { body: { ticket, credential, name: 'Laptop' } }, token)
}

export async function fillLogin(page: Page, { username, password }: Account): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

/** Logs in by the form that is shown, and sends it. */
export async function logInBy(page: Page, account: Account): Promise<void> {
  await fillLogin(page, account)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}

/**
 * From another page than home, so that arriving there tells that it is done; and from one that asks for nothing
 * meanwhile, which would be refused.
 */
export async function logOut(page: Page): Promise<void> {
  await page.route(bellStream, () => {})
  await page.goto('/contact')
  await everythingCame(page)
  const menu = page.getByRole('button', { name: /menu/i })
  const button = page.getByRole('button', { name: 'Log out' })
  await expect(menu.or(button).first()).toBeVisible()
  if (!(await button.isVisible())) await menu.click()
  await button.click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
  await page.unroute(bellStream)
}
