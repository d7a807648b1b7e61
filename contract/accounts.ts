/** Registration and sessions (product.md section 4; decisions.md, Accounts and sessions). */
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
    /** False: the session lasts 24 hours and the browser keeps the pair in session storage. */
    remember: t.Optional(t.Boolean({ default: true })),
  },
  { additionalProperties: false },
)
export type Credentials = t.Static<typeof Credentials>

export const TokenPair = t.Object({ access: t.String(), refresh: t.String() })
export type TokenPair = t.Static<typeof TokenPair>

/** With the account's name as it is spelt: one can log in by e-mail, and then the browser knows no name. */
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
      /** Asked for by `challenge-required`; good for one account. */
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
  summary: 'Log in: start a session',
  group: 'accounts',
  auth: 'anyone',
  body: Credentials,
  status: 200,
  reply: LogInReply,
  errors: ['invalid', 'wrong-credentials', 'second-factor-required', 'banned', 'login-rate-limited'],
})

export const refreshTokens = endpoint({
  method: 'POST',
  path: '/token/refresh/',
  summary: 'Exchange a refresh token, once, for a new pair',
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
  summary: 'Log out: end the session of a refresh token',
  group: 'accounts',
  auth: 'anyone',
  body: RefreshToken,
  status: 200,
  reply: t.Object({}),
  errors: ['invalid', 'invalid-token'],
})

/** What somebody asks for, or was told to have happened, in words. */
const DetailReply = t.Object({ detail: t.String() })

/** The same whether or not there is such an account (product.md section 8). */
export const resetRequestedText = 'If an account with that email exists, a password reset link has been sent.'

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/password-reset/',
  summary: 'Ask for a mail with a link that resets the password',
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
  summary: 'Set a new password by the link of a mail, once, within an hour; ends every session',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object({ uidb64: Secret, token: Secret, ...newPassword }, { additionalProperties: false }),
  status: 200,
  reply: DetailReply,
  errors: ['invalid', 'invalid-reset-link', 'rate-limited'],
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/password-change/',
  summary: 'Set a new password by the old one; ends every other session',
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
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'login-rate-limited'],
})

export const Session = t.Object({
  id: Id,
  /** Browser and system in words: 'Firefox on Windows'. */
  device: t.String(),
  /** The network it was last used from, not the address: 203.0.113.0/24, 2001:db8:1::/48. */
  address: nullable(t.String()),
  created_at: Time,
  last_used_at: Time,
  /** Whether it is the one that asks. */
  is_current: t.Boolean(),
})
export type Session = t.Static<typeof Session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions/',
  summary: 'Where you are signed in, the last used first',
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
  summary: 'End a session of yours; the current one is logging out',
  group: 'accounts',
  auth: 'user',
  scope: 'session',
  invalidatesCache: false,
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'not-found'],
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/',
  summary: 'End all your sessions but the current one',
  group: 'accounts',
  auth: 'user',
  scope: 'session',
  invalidatesCache: false,
  status: 204,
  reply: t.Null(),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope'],
})

/** What the forms check before they call: field → text, as product.md section 5 words it. */
export function loginProblems(values: { username: string; password: string }): string | null {
  return values.username.trim() === '' || values.password === ''
    ? 'Username and password are required.'
    : null
}

/** Field → text for what can be said of a registration without the server; empty when nothing is wrong. */
export function registrationProblems(values: Registration): Partial<Record<keyof Registration, string>> {
  const problems: Partial<Record<keyof Registration, string>> = {}
  if (values.username.trim() === '') problems.username = 'Username is required.'
  if (values.email.trim() === '') problems.email = 'Email is required.'
  if (values.password === '') problems.password = 'Password is required.'
  else if (values.password !== values.password2) problems.password2 = 'Passwords do not match.'
  return problems
}
