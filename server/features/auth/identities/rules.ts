/** Reading the claims of a provider, suggesting usernames, and binding a sign-in to a browser. */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { normalizeUnicode } from '../../../core/http/unicode.ts'
import { isReservedUsername } from '../accounts/reserved-usernames.ts'

/** The claims used from an identity provider. */
export interface OidcIdentity {
  issuer: string
  subject: string
  /** Null if the provider sends no valid address. */
  email: string | null
  /** Whether the provider states that the user has proven that the address is theirs. */
  is_email_verified: boolean
  /** Names from which to derive a username, best first. */
  names: string[]
}

/** Reads the claims of an id token. Returns null if the subject is missing or cannot be stored. */
export function readClaims(issuer: string, claims: Record<string, unknown>): OidcIdentity | null {
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value.trim() : ''
  }
  const subject = text('sub')
  // Not trimmed: subjects are case-sensitive strings, compared exactly (OpenID Connect Core 1.0, section 2).
  if (subject !== claims.sub || subject === '' || subject.length > 255) return null
  const email = normalizeUnicode(text('email'))
  const isEmail = email.length <= limits.emailMax && /^[^@\s]+@[^@\s]+$/.test(email)
  const names = [text('preferred_username'), text('name'), email]
  return {
    issuer,
    subject,
    email: isEmail ? email : null,
    is_email_verified: isEmail && claims.email_verified === true,
    names,
  }
}

/** Number of suggestions with a small number appended, and of those with a random number. */
const similarNamesMax = 9

/** Returns usernames to suggest, best first. The last ones have random numbers, so that one is certainly available. */
export function suggestUsernames(names: string[]): string[] {
  const base =
    names.map(toUsername).find((name) => name.length >= limits.usernameMin && !isReservedUsername(name)) ??
    'member'
  const numbers = [
    ...Array.from({ length: similarNamesMax }, (_, n) => n + 2),
    ...Array.from({ length: similarNamesMax }, () => randomInt(1_000, 1_000_000_000)),
  ]
  return [base, ...numbers.map((n) => `${base.slice(0, limits.usernameMax - String(n).length)}${n}`)]
}

/** Converts a name to characters allowed in usernames: `Zoë Müller` → `Zoe_Muller`, `zoe@example.org` → `zoe`. */
function toUsername(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/@.*$/su, '')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[^A-Za-z0-9]+|(?<!_)_+$/g, '')
    .slice(0, limits.usernameMax)
}

/** Hashes the cookie that binds a sign-in to a browser; a ticket stores only the hash. */
export function hashBrowserCookie(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url')
}

export function isSameBrowser(storedHash: string, cookie: string | undefined): boolean {
  return (
    cookie !== undefined && timingSafeEqual(Buffer.from(storedHash), Buffer.from(hashBrowserCookie(cookie)))
  )
}
