/**
 * Every limit, by the name that its route gives: per signed-in person, else per address (core/rate-limits.ts). They are
 * for whoever floods a site, and meant to be met by nobody else.
 */

export interface RateLimit {
  /** At most at once; so many come back within `seconds`, evenly. */
  tokens: number
  /** At most a day: what has not been touched for longer is forgotten. */
  seconds: number
  /** New accounts have fewer: what others see of them could be spam. */
  stricterForNewAccounts?: true
}

const hour = 3600
const day = 24 * hour

export const rateLimits = {
  // What others see, or are told of.
  save: { tokens: 60, seconds: 600, stricterForNewAccounts: true },
  'collect-all': { tokens: 20, seconds: 600, stricterForNewAccounts: true },
  'create-container': { tokens: 120, seconds: 600, stricterForNewAccounts: true },
  comment: { tokens: 30, seconds: 600, stricterForNewAccounts: true },
  'edit-comment': { tokens: 60, seconds: 600, stricterForNewAccounts: true },
  like: { tokens: 300, seconds: 600, stricterForNewAccounts: true },
  follow: { tokens: 300, seconds: 600, stricterForNewAccounts: true },
  profile: { tokens: 120, seconds: hour, stricterForNewAccounts: true },
  report: { tokens: 30, seconds: hour, stricterForNewAccounts: true },
  // Whoever is new brings what they had elsewhere: all of it.
  import: { tokens: 20, seconds: day },
  // One's own.
  extract: { tokens: 30, seconds: 600 },
  bulk: { tokens: 120, seconds: 600 },
  'mark-watched': { tokens: 300, seconds: 600 },
  block: { tokens: 120, seconds: hour },
  mute: { tokens: 120, seconds: hour },
  appeal: { tokens: 20, seconds: day },
  'preview-rule': { tokens: 60, seconds: 600 },
  'mark-notifications-read': { tokens: 600, seconds: 600 },
  'open-notification-stream': { tokens: 120, seconds: 600 },
  export: { tokens: 10, seconds: day },
  download: { tokens: 60, seconds: hour },
  // By address: nobody has that many mails to be rid of.
  unsubscribe: { tokens: 60, seconds: hour },
  // Accounts.
  // Two for an account where a challenge is asked for.
  register: { tokens: 60, seconds: hour },
  // On the whole site, by the accounts that are there: more of them take a proof of work (accounts/challenge.ts).
  'register-unchallenged': { tokens: 50, seconds: 600 },
  refresh: { tokens: 300, seconds: 60 },
  'log-out': { tokens: 300, seconds: 60 },
  'password-reset': { tokens: 20, seconds: hour },
  'password-reset-confirm': { tokens: 60, seconds: hour },
  // To one account, whoever asks; counted by the links that are out, not by a bucket.
  'password-reset-mail': { tokens: 3, seconds: hour },
  'email-change': { tokens: 3, seconds: hour },
  'email-confirm': { tokens: 60, seconds: hour },
  'access-token': { tokens: 60, seconds: hour },
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
  // Guesses, counted where they fail (core/login-throttle.ts, second-factor/throttle.ts).
  'login-by-ip': { tokens: 100, seconds: hour },
  'login-by-account-and-ip': { tokens: 10, seconds: 600 },
  'login-by-device': { tokens: 10, seconds: 600 },
  // Three codes of a million count at a time: guessing at it for a year, one finds it with 2 percent.
  'second-factor-code': { tokens: 20, seconds: day },
  // Of 50 bits: no number of guesses finds one. Per address, so that nobody uses up the owner's.
  'recovery-code': { tokens: 20, seconds: hour },
  'second-factor-code-mail': { tokens: 1, seconds: day },
} as const satisfies Record<string, RateLimit>

export type RateLimitName = keyof typeof rateLimits

/** The share of a limit that accounts have: a third on their first day, two thirds in their first week. */
function newAccountShare(accountAge: number): number {
  if (accountAge < day) return 1 / 3
  return accountAge < 7 * day ? 2 / 3 : 1
}

/** The limit of somebody; `account_age` in seconds. Whoever is not signed in has all of their address's. */
export function limitFor(name: RateLimitName, viewer: { account_age: number } | null): RateLimit {
  const limit: RateLimit = rateLimits[name]
  if (viewer === null || !limit.stricterForNewAccounts) return limit
  return { ...limit, tokens: Math.ceil(limit.tokens * newAccountShare(viewer.account_age)) }
}
