/** What one changes about one's own account in Settings, beside password and sessions (accounts.ts). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const Password = t.String({ minLength: 1, maxLength: limits.passwordMax })

/** How somebody signs in, at a glance. */
export const AccountSecurity = t.Object({
  email: t.String(),
  /** An address that waits to be confirmed by the mail that went there. */
  pending_email: nullable(t.String()),
  has_password: t.Boolean(),
  /** An authenticator app is set up. */
  has_authenticator: t.Boolean(),
  passkeys_count: t.Integer(),
  recovery_codes_left: t.Integer(),
  identities_count: t.Integer(),
  access_tokens_count: t.Integer(),
  /** Until when what needs a confirmation goes without a new one; null: it does not. */
  confirmed_until: nullable(Time),
})
export type AccountSecurity = t.Static<typeof AccountSecurity>

const own = { group: 'accounts', auth: 'user', scope: 'session' } as const

export const getAccountSecurity = endpoint({
  ...own,
  method: 'GET',
  path: '/auth/security/',
  summary: 'How you sign in, at a glance',
  status: 200,
  reply: AccountSecurity,
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope'],
})

/** What `reauthentication-required` says beside its text. */
export const ReauthenticationRequired = t.Object({
  detail: t.String(),
  /** Empty: neither is set up, and signing in again is the way. */
  confirm: t.Array(t.Enum(['password', 'passkey'])),
})
export type ReauthenticationRequired = t.Static<typeof ReauthenticationRequired>

export const reauthenticate = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/confirm/',
  summary: 'Show by your password that it is you; good for 15 minutes in this session',
  invalidatesCache: false,
  body: t.Object({ password: Password }, { additionalProperties: false }),
  status: 204,
  reply: t.Null(),
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'login-rate-limited'],
})

export const changeEmail = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/email-change/',
  summary: 'Ask for another e-mail address: it counts once the link mailed there is followed',
  requiresReauth: true,
  invalidatesCache: false,
  body: t.Object(
    { email: t.String({ format: 'email', maxLength: limits.emailMax }) },
    { additionalProperties: false },
  ),
  status: 200,
  /** The same whether or not the address is somebody's already. */
  reply: t.Object({ detail: t.String(), pending_email: t.String() }),
  errors: [
    'invalid',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'reauthentication-required',
    'rate-limited',
  ],
})

export const cancelEmailChange = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/email-change/',
  summary: 'Keep the address: the link that was mailed leads nowhere any more',
  invalidatesCache: false,
  status: 204,
  reply: t.Null(),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope'],
})

export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/auth/email-change-confirm/',
  summary: 'Confirm a new e-mail address by the link of a mail, once, within a day',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object({ token: t.String({ minLength: 1, maxLength: 1000 }) }, { additionalProperties: false }),
  status: 200,
  reply: t.Object({ detail: t.String(), email: t.String() }),
  errors: ['invalid', 'invalid-email-link', 'rate-limited'],
})

export const deleteAccount = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/account-delete/',
  summary: 'Delete your account and what you saved; comments stay, of a deleted user',
  body: t.Object({ password: Password }, { additionalProperties: false }),
  status: 204,
  reply: t.Null(),
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'login-rate-limited'],
})
