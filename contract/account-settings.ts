/** Account settings other than password and sessions, which are in accounts.ts. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { nullable, Time, Username } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const Password = t.String({ minLength: 1, maxLength: limits.passwordMax })

/** The sign-in methods of an account and how many of each it has. */
export const AccountSecurity = t.Object({
  /** When the username may be changed next; null: now. Its case may be changed at any time. */
  username_changeable_at: nullable(Time),
  email: t.String(),
  /** Whether the user opened the link mailed to that address. Until then it gets no other mail. */
  is_email_confirmed: t.Boolean(),
  /** A new address that has not been confirmed yet. Null: no change is pending. */
  pending_email: nullable(t.String()),
  has_password: t.Boolean(),
  /** Whether an authenticator app is set up. */
  has_authenticator: t.Boolean(),
  passkeys_count: t.Integer(),
  recovery_codes_left: t.Integer(),
  identities_count: t.Integer(),
  access_tokens_count: t.Integer(),
  /** Whether the user is a moderator who has no moderation rights until they set up a second factor. */
  needs_second_factor: t.Boolean(),
  /** Whether linked sign-in methods wait for a decision after a password reset (contract/sign-in-review.ts). */
  review_required: t.Boolean(),
  /** End of the period in which sensitive changes need no reauthentication; null: reauthentication is needed. */
  reauthenticated_until: nullable(Time),
})
export type AccountSecurity = t.Static<typeof AccountSecurity>

const own = { group: 'accounts', auth: 'user', scope: 'session' } as const

export const getAccountSecurity = endpoint({
  ...own,
  method: 'GET',
  path: '/auth/security/',
  summary: 'Get an overview of your sign-in methods',
  status: 200,
  reply: AccountSecurity,
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope'],
})

/** Body of the error `reauthentication-required`. */
export const ReauthenticationRequired = t.Object({
  detail: t.String(),
  /** The methods that can reauthenticate. Empty: neither is set up, and the user has to sign in again. */
  methods: t.Array(t.Enum(['password', 'passkey'])),
  /** The codes of which one is needed together with the password. Empty: the password alone is enough. */
  second_factors: t.Array(t.Enum(['authenticator', 'recovery_code'])),
})
export type ReauthenticationRequired = t.Static<typeof ReauthenticationRequired>

export const reauthenticate = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/reauthenticate/',
  summary:
    'Reauthenticate with your password, and a code if you use two-step verification; valid for 15 minutes in this session',
  invalidatesCache: false,
  body: t.Object(
    {
      password: Password,
      /** Six digits, or a recovery code. Required of users with a second factor. */
      verification_code: t.Optional(t.String({ minLength: 1, maxLength: 50 })),
    },
    { additionalProperties: false },
  ),
  status: 204,
  reply: t.Null(),
  errors: [
    'invalid',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'login-rate-limited',
    'rate-limited',
  ],
})

export const changeUsername = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/username-change/',
  summary: 'Change your username, once in 30 days; links and mentions with the former one still lead to you',
  /** The password is required of users who have one; the others must have authenticated recently. */
  body: t.Object({ username: Username, password: t.Optional(Password) }, { additionalProperties: false }),
  status: 200,
  forbiddenWhileSuspended: true,
  reply: t.Object({ username: t.String(), username_changeable_at: nullable(Time) }),
  /** `reauthentication-required`: the user has a second factor and did not use it recently, or has no password. */
  errors: [
    'invalid',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'suspended',
    'reauthentication-required',
    'login-rate-limited',
    'rate-limited',
  ],
})

export const changeEmail = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/email-change/',
  summary: 'Request a change of e-mail address; it takes effect when the mailed link is opened',
  requiresReauth: true,
  invalidatesCache: false,
  body: t.Object(
    { email: t.String({ format: 'email', maxLength: limits.emailMax }) },
    { additionalProperties: false },
  ),
  status: 200,
  /** The same reply whether or not another account has the address. */
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
  summary: 'Cancel a pending change of e-mail address; the mailed link stops working',
  invalidatesCache: false,
  status: 204,
  reply: t.Null(),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope'],
})

export const resendEmailConfirmation = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/email-confirmation/resend/',
  summary: 'Mail the link that confirms your e-mail address again, at most five times a day',
  invalidatesCache: false,
  status: 204,
  reply: t.Null(),
  errors: [
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'email-already-confirmed',
    'rate-limited',
  ],
})

/** The token of a mailed link. It is in the body, because URLs are logged and sent to other sites. */
const EmailToken = t.Object(
  { token: t.String({ minLength: 1, maxLength: 1000 }) },
  { additionalProperties: false },
)

export const readEmailConfirmation = endpoint({
  method: 'POST',
  path: '/auth/email-confirmation/read/',
  summary: 'Get the account and the e-mail address that a mailed link confirms; changes nothing',
  group: 'accounts',
  auth: 'anyone',
  body: EmailToken,
  status: 200,
  reply: t.Object({ username: t.String(), email: t.String() }),
  errors: ['invalid', 'invalid-email-link', 'rate-limited'],
})

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/auth/email-confirmation/',
  summary: 'Confirm an e-mail address with the token of the mailed link, once and within a day',
  group: 'accounts',
  /** A session of the same account proves that what was linked to it before belongs to the owner of the address. */
  auth: 'viewer',
  scope: 'session',
  body: EmailToken,
  status: 200,
  reply: t.Object({ detail: t.String(), email: t.String() }),
  errors: ['invalid', 'invalid-token', 'insufficient-scope', 'invalid-email-link', 'rate-limited'],
})

export const deleteAccount = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/account-delete/',
  summary: 'Delete your account and bookmarks; comments stay without your name',
  /** The password is required of users who have one; the others must have authenticated recently. */
  body: t.Object({ password: t.Optional(Password) }, { additionalProperties: false }),
  status: 204,
  reply: t.Null(),
  /** `reauthentication-required`: the user has a second factor and did not use it recently, or has no password. */
  errors: [
    'invalid',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'reauthentication-required',
    'last-owner',
    'login-rate-limited',
  ],
})
