/** What is made of another site's word, and how a browser is tied to what it began. */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { normalizeUnicode } from '../../../core/http/unicode.ts'

/** What we want to know of somebody, of all that another site says. */
export interface OidcIdentity {
  issuer: string
  subject: string
  /** Null where it says none, or none that could be one. */
  email: string | null
  /** What they may want to be called here, the likeliest first. */
  names: string[]
}

/** Null where the site names nobody, or so that we could not keep it. */
export function readClaims(issuer: string, claims: Record<string, unknown>): OidcIdentity | null {
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value.trim() : ''
  }
  const subject = text('sub')
  // As it came: another site's subjects are compared letter by letter (OpenID Connect Core 1.0, section 2).
  if (subject !== claims.sub || subject === '' || subject.length > 255) return null
  const email = normalizeUnicode(text('email'))
  const isEmail = email.length <= limits.emailMax && /^[^@\s]+@[^@\s]+$/.test(email)
  const names = [text('preferred_username'), text('name'), email]
  return { issuer, subject, email: isEmail ? email : null, names }
}

/** So many names like the one wanted are looked at before chance decides, and as many by chance. */
const similarNamesMax = 9

/** Usernames to offer somebody, the best first; the last are so rare that one of them is free. */
export function suggestUsernames(names: string[]): string[] {
  const base = names.map(toUsername).find((name) => name.length >= limits.usernameMin) ?? 'member'
  const numbers = [
    ...Array.from({ length: similarNamesMax }, (_, n) => n + 2),
    ...Array.from({ length: similarNamesMax }, () => randomInt(1_000, 1_000_000_000)),
  ]
  return [base, ...numbers.map((n) => `${base.slice(0, limits.usernameMax - String(n).length)}${n}`)]
}

/** What is left of a name in the letters of usernames: `Zoë Müller` → `Zoe_Muller`, `zoe@example.org` → `zoe`. */
function toUsername(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/@.*$/su, '')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[^A-Za-z0-9]+|_+$/g, '')
    .slice(0, limits.usernameMax)
}

/** Of the cookie that ties a browser to what it began: a ticket keeps only this. */
export function hashBrowserCookie(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url')
}

export function isSameBrowser(kept: string, cookie: string | undefined): boolean {
  return cookie !== undefined && timingSafeEqual(Buffer.from(kept), Buffer.from(hashBrowserCookie(cookie)))
}
