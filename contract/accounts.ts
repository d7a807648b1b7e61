/** Registration and sessions (docs/behaviour.md, Accounts and sessions). */
import * as t from 'typebox'
import { SolvedChallenge } from './challenge.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, Username } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'

const Secret = t.String({ minLength: 1, maxLength: 1000 })
const Password = t.String({ minLength: limits.passwordMin, maxLength: limits.passwordMax })

export const Registration = t.Object(
  {
    username: Username,
    email: t.String({ format: 'email', maxLength: limits.emailMax }),
    password: Password,
    password2: t.String({ maxLength: limits.passwordMax }),
  },
  { additionalProperties: false },
)
export type Registration = t.Static<typeof Registration>

export const Credentials = t.Object(
  {
    username: t.String({ minLength: 1, maxLength: limits.emailMax }),
    password: t.String({ minLength: 1, maxLength: limits.passwordMax }),
    /** False: the session lasts 24 hours and the browser stores the tokens in session storage. */
    remember: t.Optional(t.Boolean({ default: true })),
    /** Required after the error `challenge-required`. Each solution is valid for one login. */
    altcha: t.Optional(SolvedChallenge),
  },
  { additionalProperties: false },
)
export type Credentials = t.Static<typeof Credentials>

export const TokenPair = t.Object({ access: t.String(), refresh: t.String() })
export type TokenPair = t.Static<typeof TokenPair>

/** Includes the username, which the browser does not know after a login by e-mail address. */
export const LogInReply = t.Object({ ...TokenPair.properties, username: t.String() })

const RefreshToken = t.Object({ refresh: Secret }, { additionalProperties: false })

export const register = endpoint({
  method: 'POST',
  path: '/auth/register/',
  summary: 'Create an account',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    {
      ...Registration.properties,
      /** Required after the error `challenge-required`. Each solution is valid for one account. */
      altcha: t.Optional(SolvedChallenge),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: t.Object({ id: Id, username: t.String(), email: t.String() }),
  errors: ['invalid', 'challenge-required', 'rate-limited'],
})

export const logIn = endpoint({
  method: 'POST',
  path: '/token/',
  summary: 'Log in and start a session',
  group: 'accounts',
  auth: 'anyone',
  body: Credentials,
  status: 200,
  reply: LogInReply,
  /** `challenge-required`: many logins to this account failed, and this device is unknown. */
  errors: [
    'invalid',
    'wrong-credentials',
    'challenge-required',
    'second-factor-required',
    'banned',
    'login-rate-limited',
  ],
})

export const refreshTokens = endpoint({
  method: 'POST',
  path: '/token/refresh/',
  summary: 'Exchange a refresh token for a new token pair; each refresh token works once',
  group: 'accounts',
  auth: 'anyone',
  body: RefreshToken,
  status: 200,
  reply: TokenPair,
  errors: ['invalid', 'invalid-token', 'rate-limited'],
})

export const logOut = endpoint({
  method: 'POST',
  path: '/token/blacklist/',
  summary: 'Log out and end the session of a refresh token',
  group: 'accounts',
  auth: 'anyone',
  body: RefreshToken,
  status: 200,
  reply: t.Object({}),
  errors: ['invalid', 'invalid-token'],
})

/** A confirmation text for the user. */
const DetailReply = t.Object({ detail: t.String() })

/** Equal for addresses with and without an account (docs/behaviour.md, Accounts and sessions). */
export const resetRequestedText = 'If an account with that email exists, a password reset link has been sent.'

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/password-reset/',
  summary: 'Request a mail with a password reset link',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    { email: t.String({ format: 'email', maxLength: limits.emailMax }) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: DetailReply,
  errors: ['invalid', 'rate-limited'],
})

const newPassword = {
  new_password1: Password,
  new_password2: t.String({ maxLength: limits.passwordMax }),
}

export const confirmPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/password-reset-confirm/',
  summary: 'Set a new password with a mailed link, once and within an hour; ends every session',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object({ uidb64: Secret, token: Secret, ...newPassword }, { additionalProperties: false }),
  status: 200,
  /** `review_required`: linked sign-in methods wait for a decision (contract/sign-in-review.ts). */
  reply: t.Object({ ...DetailReply.properties, review_required: t.Boolean() }),
  errors: ['invalid', 'invalid-reset-link', 'rate-limited'],
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/password-change/',
  summary: 'Change your password; ends every other session',
  group: 'accounts',
  auth: 'user',
  scope: 'session',
  invalidatesCache: false,
  body: t.Object(
    { old_password: t.String({ minLength: 1, maxLength: limits.passwordMax }), ...newPassword },
    { additionalProperties: false },
  ),
  status: 200,
  reply: DetailReply,
  /** `reauthentication-required`: the user has a second factor and did not use it recently. */
  errors: [
    'invalid',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'reauthentication-required',
    'login-rate-limited',
  ],
})

export const Session = t.Object({
  id: Id,
  /** Browser and operating system, for example `Firefox on Windows`; of other programs `API client, node`. */
  device: t.String(),
  /** The network the session was last used from, without the exact address: 203.0.113.0/24, 2001:db8:1::/48. */
  address: nullable(t.String()),
  created_at: Time,
  last_used_at: Time,
  /** Whether the request was made with this session. */
  is_current: t.Boolean(),
})
export type Session = t.Static<typeof Session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions/',
  summary: 'List your sessions, last used first',
  group: 'accounts',
  auth: 'user',
  scope: 'session',
  query: PageQuery,
  status: 200,
  reply: pageOf(Session),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'invalid-page'],
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/:id/',
  summary: 'End one of your sessions; ending the current one logs out',
  group: 'accounts',
  auth: 'user',
  scope: 'session',
  requiresReauth: true,
  invalidatesCache: false,
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'reauthentication-required',
    'not-found',
  ],
})

export const endSessions = endpoint({
  method: 'POST',
  path: '/auth/sessions/end/',
  summary: 'End several of your sessions; ids of other sessions are ignored',
  group: 'accounts',
  auth: 'user',
  scope: 'session',
  requiresReauth: true,
  invalidatesCache: false,
  body: t.Object(
    { ids: t.Array(Id, { minItems: 1, maxItems: limits.maxPageSize }) },
    { additionalProperties: false },
  ),
  status: 204,
  reply: t.Null(),
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'reauthentication-required'],
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/',
  summary: 'End all your sessions except the current one',
  group: 'accounts',
  auth: 'user',
  scope: 'session',
  requiresReauth: true,
  invalidatesCache: false,
  status: 204,
  reply: t.Null(),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'reauthentication-required'],
})

/** Returns the message of an incomplete login form, or null (docs/behaviour.md, Forms and messages). */
export function loginProblems(values: { username: string; password: string }): string | null {
  return values.username.trim() === '' || values.password === ''
    ? 'Username and password are required.'
    : null
}

/** Returns the messages of a registration form by field, as far as the browser can check it. Empty: no problem. */
export function registrationProblems(values: Registration): Partial<Record<keyof Registration, string>> {
  const problems: Partial<Record<keyof Registration, string>> = {}
  if (values.username.trim() === '') problems.username = 'Username is required.'
  if (values.email.trim() === '') problems.email = 'Email is required.'
  if (values.password === '') problems.password = 'Password is required.'
  else if (values.password !== values.password2) problems.password2 = 'Passwords do not match.'
  return problems
}
