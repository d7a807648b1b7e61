/** Registration and sessions (product.md section 4; decisions.md, Accounts and sessions). */
import * as t from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Username } from './fields.ts'
import { limits } from './limits.ts'

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
  tag: 'accounts',
  access: 'anyone',
  body: Registration,
  status: 201,
  reply: t.Object({ id: Id, username: t.String(), email: t.String() }),
  errors: ['invalid', 'too-many'],
})

export const logIn = endpoint({
  method: 'POST',
  path: '/token/',
  summary: 'Log in: start a session',
  tag: 'accounts',
  access: 'anyone',
  body: Credentials,
  status: 200,
  reply: LogInReply,
  errors: ['invalid', 'wrong-credentials', 'banned', 'too-many-logins'],
})

export const refreshTokens = endpoint({
  method: 'POST',
  path: '/token/refresh/',
  summary: 'Exchange a refresh token, once, for a new pair',
  tag: 'accounts',
  access: 'anyone',
  body: RefreshToken,
  status: 200,
  reply: TokenPair,
  errors: ['invalid', 'bad-token', 'too-many'],
})

export const logOut = endpoint({
  method: 'POST',
  path: '/token/blacklist/',
  summary: 'Log out: end the session of a refresh token',
  tag: 'accounts',
  access: 'anyone',
  body: RefreshToken,
  status: 200,
  reply: t.Object({}),
  errors: ['invalid', 'bad-token'],
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
