/** Password rules, and the links in mails (docs/behaviour.md, Accounts and sessions). */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { hashOpaqueToken } from '../../../core/auth/hash-token.ts'
import { isDerivedFromNames, type PasswordNames } from './derived-passwords.ts'

const commonPasswords = new Set(passwords.filter((password) => password.length >= limits.passwordMin))

/** Returns the reasons why a password is refused, as messages for the user; empty if it is accepted. */
export function passwordProblems(password: string, names: PasswordNames): string[] {
  const lower = password.normalize('NFKC').toLowerCase()
  const isCommon = (text: string) => commonPasswords.has(text)
  if (isCommon(lower)) return ['This password is too common.']
  return isDerivedFromNames(lower, names, isCommon) ? [derivedPasswordText] : []
}

const derivedPasswordText =
  'This password is too similar to your username, your email address or the name of this site.'

/** Returns the path of a reset link, below PUBLIC_URL: `/reset-password/{uidb64}/{token}`. */
export function resetPath(userId: number, token: string): string {
  return `/reset-password/${Buffer.from(String(userId)).toString('base64url')}/${token}`
}

/** Decodes a reset link. Returns null if it cannot be one of this site. */
export function readResetLink({
  uidb64,
  token,
}: {
  uidb64: string
  token: string
}): { user_id: number; token_hash: Buffer } | null {
  const id = Buffer.from(uidb64, 'base64url').toString('latin1')
  if (!/^[1-9]\d{0,14}$/.test(id)) return null
  return { user_id: Number(id), token_hash: hashOpaqueToken(token) }
}
