/**
 * All rate limits by name: per signed-in user, or per address for visitors (rate-limits.ts). They protect against
 * floods; normal use does not reach them.
 */

import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'

export interface RateLimit {
  /** Size of the bucket. It refills evenly within `seconds`. */
  tokens: number
  /** Time to refill an empty bucket; at most a day, because older rows are deleted. */
  seconds: number
  /** New accounts have a smaller bucket, because what others see of them could be spam. */
  stricterForNewAccounts?: true
  /**
   * Whether each worker counts in its memory, for frequent calls: a shared bucket costs a database write. With several
   * workers a client may get the limit from each of them.
   */
  perProcess?: true
}

const hour = 3600
const day = 24 * hour

export const rateLimits = {
  // Every request, per address, before anything else is done. A page makes up to ten requests, and loads up to a hundred
  // files. Several users may share an address.
  request: { tokens: 6000, seconds: 60, perProcess: true },
  file: { tokens: 30_000, seconds: 60, perProcess: true },
  // Pages rendered by the server, instead of `request`. Links within the site load data only.
  page: { tokens: 1200, seconds: 60, perProcess: true },
  // Feeds, sitemaps and other documents for programs, instead of `request`.
  document: { tokens: 600, seconds: 60, perProcess: true },
  // Endpoints that name no other limit.
  read: { tokens: 3000, seconds: 60, perProcess: true },
  write: { tokens: 600, seconds: 600 },
  // Only endpoints that count their failures themselves, such as the login: a shared bucket of an address would let others
  // at that address lock out trusted devices.
  'write-without-session': { tokens: 3000, seconds: 60, perProcess: true },
  // Content that others see or are notified of.
  save: { tokens: 60, seconds: 600, stricterForNewAccounts: true },
  'upload-thumbnail': { tokens: 60, seconds: 600, stricterForNewAccounts: true },
  'collect-all': { tokens: 20, seconds: 600, stricterForNewAccounts: true },
  'create-container': { tokens: 120, seconds: 600, stricterForNewAccounts: true },
  comment: { tokens: 30, seconds: 600, stricterForNewAccounts: true },
  'edit-comment': { tokens: 60, seconds: 600, stricterForNewAccounts: true },
  'timed-note': { tokens: 120, seconds: 600, stricterForNewAccounts: true },
  like: { tokens: 300, seconds: 600, stricterForNewAccounts: true },
  follow: { tokens: 300, seconds: 600, stricterForNewAccounts: true },
  profile: { tokens: 120, seconds: hour, stricterForNewAccounts: true },
  report: { tokens: 30, seconds: hour, stricterForNewAccounts: true },
  // Links for everyone who saved a video that is gone.
  'propose-link': { tokens: 20, seconds: day, stricterForNewAccounts: true },
  // Reports of all users at one address.
  'report-by-address': { tokens: 60, seconds: hour },
  // Hidings by reports. Above these limits a report waits for a moderator without hiding anything.
  'hide-by-user': { tokens: 10, seconds: day },
  'hide-by-address': { tokens: 20, seconds: day },
  // The same for content that involves minors or is shared without consent, which anyone can report.
  'hide-at-once-by-user': { tokens: 5, seconds: day },
  'hide-at-once-by-address': { tokens: 10, seconds: day },
  // Not stricter for new accounts: new users import everything they had elsewhere.
  import: { tokens: 20, seconds: day },
  // Files in chunks of 2 MB.
  'start-upload': { tokens: 120, seconds: hour },
  'upload-chunk': { tokens: 600, seconds: hour },
  // Each makes up to 25 requests to other sites.
  'import-from-url': { tokens: 20, seconds: hour },
  subscription: { tokens: 60, seconds: hour },
  // Reads the uploaded file again.
  'review-import': { tokens: 60, seconds: hour },
  // The user's own data.
  extract: { tokens: 30, seconds: 600 },
  'preview-thumbnail': { tokens: 120, seconds: 600 },
  bulk: { tokens: 120, seconds: 600 },
  'mark-watched': { tokens: 300, seconds: 600 },
  // Every ten seconds while a video plays.
  'save-position': { tokens: 600, seconds: 600, perProcess: true },
  block: { tokens: 120, seconds: hour },
  mute: { tokens: 120, seconds: hour },
  appeal: { tokens: 20, seconds: day },
  'preview-rule': { tokens: 60, seconds: 600 },
  'mark-notifications-read': { tokens: 600, seconds: 600 },
  'open-notification-stream': { tokens: 120, seconds: 600 },
  export: { tokens: 10, seconds: day },
  download: { tokens: 60, seconds: hour },
  // Per address.
  unsubscribe: { tokens: 60, seconds: hour },
  // Accounts. Where a registration challenge is required, an account takes two tokens.
  register: { tokens: 60, seconds: hour },
  'owner-setup': { tokens: 30, seconds: hour },
  // For the whole site, by the number of recent accounts. Above it, registration requires a challenge.
  'register-unchallenged': { tokens: 50, seconds: 600 },
  refresh: { tokens: 300, seconds: 60 },
  'log-out': { tokens: 300, seconds: 60 },
  'password-reset': { tokens: 20, seconds: hour },
  'password-reset-confirm': { tokens: 60, seconds: hour },
  // Mails of one kind, per recipient and per user who entered the address. Not a bucket: never more within any day
  // (core/mail/mail-limit.ts).
  'security-mail': { tokens: 5, seconds: day },
  'email-confirmation': { tokens: 60, seconds: hour },
  'username-change': { tokens: 20, seconds: hour },
  'access-token': { tokens: 60, seconds: hour },
  webhook: { tokens: 60, seconds: hour },
  'exchange-connection-code': { tokens: 60, seconds: 600 },
  'begin-oidc-login': { tokens: 100, seconds: 600 },
  'oidc-login': { tokens: 100, seconds: 600 },
  'begin-oidc-link': { tokens: 60, seconds: 600 },
  'oidc-link': { tokens: 60, seconds: 600 },
  'begin-passkey-login': { tokens: 300, seconds: 600 },
  'passkey-login': { tokens: 100, seconds: 600 },
  'begin-passkey-reauth': { tokens: 60, seconds: 600 },
  'passkey-reauth': { tokens: 60, seconds: 600 },
  'begin-adding-passkey': { tokens: 60, seconds: 600 },
  'second-factor': { tokens: 30, seconds: hour },
  'confirm-authenticator': { tokens: 20, seconds: hour },
  // Guesses, counted where they fail (core/auth/login-throttle.ts, second-factor/code-throttle.ts).
  'login-by-ip': { tokens: 100, seconds: hour },
  // An attacker may have a whole IPv6 network.
  'login-by-ipv6-56': { tokens: 200, seconds: hour },
  'login-by-ipv6-48': { tokens: 500, seconds: hour },
  'login-by-account-and-ip': { tokens: 10, seconds: 600 },
  // From all addresses, except those of trusted devices. Above it, each login needs proof of work.
  'login-by-account': { tokens: 50, seconds: day },
  'failed-logins-mail': { tokens: 1, seconds: day },
  // Of a signed-in user, from all addresses.
  'password-check': { tokens: 50, seconds: day },
  'login-by-device': { tokens: 10, seconds: 600 },
  // Three of a million codes are valid at any time: guessing for a year succeeds with a probability of 2 percent.
  'second-factor-code': { tokens: 20, seconds: day },
  // Recovery codes have 50 bits and cannot be guessed. Counted per address, so that others cannot exhaust the owner's
  // limit.
  'recovery-code': { tokens: 20, seconds: hour },
  'second-factor-code-mail': { tokens: 1, seconds: day },
} as const satisfies Record<string, RateLimit>

export type RateLimitName = keyof typeof rateLimits

/** Returns the share of a limit by account age in seconds: a third on the first day, two thirds in the first week. */
function newAccountShare(accountAge: number): number {
  if (accountAge < day) return 1 / 3
  return accountAge < 7 * day ? 2 / 3 : 1
}

/** Returns the limit of an endpoint that names none. */
export function defaultLimit({ method, auth }: Pick<Endpoint, 'method' | 'auth'>): RateLimitName {
  if (method === 'GET') return 'read'
  return auth === 'anyone' ? 'write-without-session' : 'write'
}

/** Returns the limit that applies to a user, whose `account_age` is in seconds. Visitors have the full limit. */
export function limitFor(name: RateLimitName, viewer: { account_age: number } | null): RateLimit {
  const limit: RateLimit = rateLimits[name]
  if (viewer === null || !limit.stricterForNewAccounts) return limit
  return { ...limit, tokens: Math.ceil(limit.tokens * newAccountShare(viewer.account_age)) }
}
