/**
 * Signing in through another site that vouches for who one is (OpenID Connect; the site is the operator's choice).
 * The browser asks where to go, goes there, comes back to /login/oidc with `code` and `state`, and hands them over.
 */
import * as t from 'typebox'
import { LogInReply } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, nullable, Time, Username } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { Ticket } from './second-factor.ts'

export const getSignInWays = endpoint({
  method: 'GET',
  path: '/auth/ways/',
  summary: 'The ways to sign in that this site offers beside passwords and passkeys',
  tag: 'accounts',
  access: 'anyone',
  status: 200,
  /** `oidc.name`: whom to name on the button; null where none is set up. */
  reply: t.Object({
    oidc: t.Unsafe<{ name: string } | null>({
      type: ['object', 'null'],
      properties: { name: { type: 'string' } },
    }),
  }),
  errors: [],
})

/** Where to go; a cookie that comes with it ties what follows to this browser. */
const Away = t.Object({ url: t.String() })

/** What the other site sent the browser back with: these of its query, and nothing else that sites put there. */
const Returned = {
  state: t.String({ minLength: 1, maxLength: 500 }),
  code: t.Optional(t.String({ minLength: 1, maxLength: 4000 })),
  iss: t.Optional(t.String({ maxLength: 500 })),
  error: t.Optional(t.String({ maxLength: 500 })),
}

export const beginOidcLogin = endpoint({
  method: 'POST',
  path: '/token/oidc/start/',
  summary: 'Begin to sign in through the other site',
  tag: 'accounts',
  access: 'anyone',
  status: 200,
  reply: Away,
  /** `not-found`: none is set up; `unavailable`: it does not answer. */
  errors: ['not-found', 'too-many', 'unavailable'],
})

/** What `username-needed` says beside its text. */
export const UsernameNeeded = t.Object({
  detail: t.String(),
  ticket: Ticket,
  /** Free when it was looked up. */
  suggested_username: t.String(),
  email: t.String(),
})
export type UsernameNeeded = t.Static<typeof UsernameNeeded>

export const logInByOidc = endpoint({
  method: 'POST',
  path: '/token/oidc/',
  summary: 'Sign in by what the other site sent the browser back with',
  tag: 'accounts',
  access: 'anyone',
  body: t.Object(
    { ...Returned, remember: t.Optional(t.Boolean({ default: true })) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: LogInReply,
  /** `username-needed`: nobody here is linked to it yet; registerByOidc goes on. */
  errors: [
    'invalid',
    'sign-in-refused',
    'banned',
    'not-found',
    'username-needed',
    'email-known',
    'too-many',
    'unavailable',
  ],
})

export const registerByOidc = endpoint({
  method: 'POST',
  path: '/auth/register/oidc/',
  summary: 'Create an account for whoever the other site vouches for',
  tag: 'accounts',
  access: 'anyone',
  body: t.Object({ ticket: Ticket, username: Username }, { additionalProperties: false }),
  status: 201,
  reply: LogInReply,
  errors: ['invalid', 'bad-ticket', 'email-known', 'identity-taken', 'too-many'],
})

export const Identity = t.Object({
  id: Id,
  /** The host of the site that vouches. */
  issuer: t.String(),
  email: nullable(t.String()),
  created_at: Time,
  last_used_at: nullable(Time),
})
export type Identity = t.Static<typeof Identity>

const own = { tag: 'accounts', access: 'user', scope: 'session', writes: false } as const
const ownErrors = ['not-signed-in', 'bad-token', 'no-scope'] as const

export const listIdentities = endpoint({
  ...own,
  method: 'GET',
  path: '/auth/identities/',
  summary: 'The sign-ins of other sites that are linked to your account',
  query: PageQuery,
  status: 200,
  reply: pageOf(Identity),
  errors: [...ownErrors, 'invalid-page'],
})

export const beginIdentity = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/identities/start/',
  summary: 'Begin to link a sign-in of the other site to your account',
  confirmed: true,
  status: 200,
  reply: Away,
  errors: [...ownErrors, 'confirm-needed', 'not-found', 'too-many', 'unavailable'],
})

export const addIdentity = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/identities/',
  summary: 'Link the sign-in that the other site sent the browser back with',
  confirmed: true,
  body: t.Object(Returned, { additionalProperties: false }),
  status: 201,
  reply: Identity,
  errors: [
    'invalid',
    ...ownErrors,
    'confirm-needed',
    'sign-in-refused',
    'not-found',
    'identity-taken',
    'too-many',
    'unavailable',
  ],
})

export const removeIdentity = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/identities/:id/',
  summary: 'Unlink a sign-in of another site',
  confirmed: true,
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'confirm-needed', 'not-found', 'last-way-in'],
})
