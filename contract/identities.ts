/**
 * Signing in through another site that vouches for who one is (OpenID Connect; the site is the operator's choice).
 * The browser asks where to go, goes there, comes back to /login/oidc with `code` and `state`, and hands them over.
 */
import * as t from 'typebox'
import { LogInReply } from './accounts.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, Username } from './protocol/fields.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { Ticket } from './second-factor.ts'

export const getSignInMethods = endpoint({
  method: 'GET',
  path: '/auth/ways/',
  summary: 'The ways to sign in that this site offers beside passwords and passkeys',
  group: 'accounts',
  auth: 'anyone',
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
const RedirectReply = t.Object({ url: t.String() })

/** What the other site sent the browser back with: these of its query, and nothing else that sites put there. */
const CallbackParameters = {
  state: t.String({ minLength: 1, maxLength: 500 }),
  code: t.Optional(t.String({ minLength: 1, maxLength: 4000 })),
  iss: t.Optional(t.String({ maxLength: 500 })),
  error: t.Optional(t.String({ maxLength: 500 })),
}

export const beginOidcLogin = endpoint({
  method: 'POST',
  path: '/token/oidc/start/',
  summary: 'Begin to sign in through the other site',
  group: 'accounts',
  auth: 'anyone',
  status: 200,
  reply: RedirectReply,
  /** `not-found`: none is set up; `unavailable`: it does not answer. */
  errors: ['not-found', 'rate-limited', 'unavailable'],
})

/** What `username-required` says beside its text. */
export const UsernameRequired = t.Object({
  detail: t.String(),
  ticket: Ticket,
  /** Free when it was looked up. */
  suggested_username: t.String(),
  email: t.String(),
})
export type UsernameRequired = t.Static<typeof UsernameRequired>

export const logInWithOidc = endpoint({
  method: 'POST',
  path: '/token/oidc/',
  summary: 'Sign in by what the other site sent the browser back with',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    { ...CallbackParameters, remember: t.Optional(t.Boolean({ default: true })) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: LogInReply,
  /** `username-required`: nobody here is linked to it yet; registerByOidc goes on. */
  errors: [
    'invalid',
    'sign-in-refused',
    'banned',
    'not-found',
    'username-required',
    'email-taken',
    'rate-limited',
    'unavailable',
  ],
})

export const registerWithOidc = endpoint({
  method: 'POST',
  path: '/auth/register/oidc/',
  summary: 'Create an account for whoever the other site vouches for',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object({ ticket: Ticket, username: Username }, { additionalProperties: false }),
  status: 201,
  reply: LogInReply,
  errors: ['invalid', 'ticket-expired', 'email-taken', 'identity-taken', 'rate-limited'],
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

const own = { group: 'accounts', auth: 'user', scope: 'session', invalidatesCache: false } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const

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

export const beginLinkingIdentity = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/identities/start/',
  summary: 'Begin to link a sign-in of the other site to your account',
  requiresReauth: true,
  status: 200,
  reply: RedirectReply,
  errors: [...ownErrors, 'reauthentication-required', 'not-found', 'rate-limited', 'unavailable'],
})

export const addIdentity = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/identities/',
  summary: 'Link the sign-in that the other site sent the browser back with',
  requiresReauth: true,
  body: t.Object(CallbackParameters, { additionalProperties: false }),
  status: 201,
  reply: Identity,
  errors: [
    'invalid',
    ...ownErrors,
    'reauthentication-required',
    'sign-in-refused',
    'not-found',
    'identity-taken',
    'rate-limited',
    'unavailable',
  ],
})

export const deleteIdentity = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/identities/:id/',
  summary: 'Unlink a sign-in of another site',
  requiresReauth: true,
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'reauthentication-required', 'not-found', 'last-sign-in-method'],
})
