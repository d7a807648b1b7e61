/** What may be a password (decisions.md, Accounts and sessions). */

import { limits } from '@reelmark/contract/limits.ts'
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }

const common = new Set(passwords.filter((password) => password.length >= limits.passwordMin))

/** Every reason, as a person reads it, why this may not be their password; empty when it may. */
export function passwordProblems(
  password: string,
  { username, email }: { username: string; email: string },
): string[] {
  const lower = password.normalize('NFKC').toLowerCase()
  const problems: string[] = []
  if (common.has(lower)) problems.push('This password is too common.')
  if (lower === username.toLowerCase()) problems.push('The password may not be your username.')
  if (lower === email.toLowerCase()) problems.push('The password may not be your email address.')
  return problems
}
