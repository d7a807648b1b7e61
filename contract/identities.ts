/**
 * Signing in through an identity provider (OpenID Connect) that the operator configured. The browser requests the
 * provider's URL, goes there, returns to /login/oidc with `code` and `state`, and sends both to the server.
 */
import * as t from 'typebox'
import { LogInReply } from './accounts.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, Username } from './protocol/fields.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { Ticket } from './second-factor.ts'

export const getSignInMethods = endpoint({
  method: 'GET',
  path: '/auth/sign-in-methods/',
  summary: 'List the sign-in methods this site offers besides passwords and passkeys',
  group: 'accounts',
  auth: 'anyone',
  status: 200,
  /** `oidc.name` is the provider's name for the button; null: no provider is configured. */
  reply: t.Object({
    oidc: t.Unsafe<{ name: string } | null>({
      type: ['object', 'null'],
      properties: { name: { type: 'string' } },
    }),
  }),
  errors: [],
})

/** URL of the provider. The cookie in the same response binds the login to this browser. */
const RedirectReply = t.Object({ url: t.String() })

/** The query parameters of the provider's redirect that are used; all others must be left out. */
const CallbackParameters = {
  state: t.String({ minLength: 1, maxLength: 500 }),
  code: t.Optional(t.String({ minLength: 1, maxLength: 4000 })),
  iss: t.Optional(t.String({ maxLength: 500 })),
  error: t.Optional(t.String({ maxLength: 500 })),
}

export const beginOidcLogin = endpoint({
  method: 'POST',
  path: '/token/oidc/start/',
  summary: 'Begin signing in through the identity provider',
  group: 'accounts',
  auth: 'anyone',
  status: 200,
  reply: RedirectReply,
  /** `not-found`: no provider is configured. `unavailable`: the provider does not respond. */
  errors: ['not-found', 'rate-limited', 'unavailable'],
})

/** Body of the error `username-required`. */
export const UsernameRequired = t.Object({
  detail: t.String(),
  ticket: Ticket,
  /** A username that was available at the time of the request. */
  suggested_username: t.String(),
  email: t.String(),
})
export type UsernameRequired = t.Static<typeof UsernameRequired>

export const logInWithOidc = endpoint({
  method: 'POST',
  path: '/token/oidc/',
  summary: "Sign in with the parameters of the provider's redirect",
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    { ...CallbackParameters, remember: t.Optional(t.Boolean({ default: true })) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: LogInReply,
  /**
   * `username-required`: no account is linked to the identity; continue with `registerWithOidc`. `second-factor-required`:
   * the account is a moderator's; continue with the second step of a login.
   */
  errors: [
    'invalid',
    'sign-in-refused',
    'banned',
    'not-found',
    'username-required',
    'second-factor-required',
    'email-taken',
    'rate-limited',
    'unavailable',
  ],
})

export const registerWithOidc = endpoint({
  method: 'POST',
  path: '/auth/register/oidc/',
  summary: 'Create an account for a verified identity of the provider',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object({ ticket: Ticket, username: Username }, { additionalProperties: false }),
  status: 201,
  reply: LogInReply,
  errors: ['invalid', 'ticket-expired', 'email-taken', 'identity-taken', 'rate-limited'],
})

export const Identity = t.Object({
  id: Id,
  /** Host of the identity provider. */
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
  summary: 'List the identities linked to your account',
  query: PageQuery,
  status: 200,
  reply: pageOf(Identity),
  errors: [...ownErrors, 'invalid-page'],
})

export const beginLinkingIdentity = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/identities/start/',
  summary: 'Begin linking an identity to your account',
  requiresReauth: true,
  status: 200,
  reply: RedirectReply,
  errors: [...ownErrors, 'reauthentication-required', 'not-found', 'rate-limited', 'unavailable'],
})

export const addIdentity = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/identities/',
  summary: "Link the identity from the parameters of the provider's redirect",
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
    'limit-reached',
    'rate-limited',
    'unavailable',
  ],
})

export const deleteIdentity = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/identities/:id/',
  summary: 'Unlink an identity from your account',
  requiresReauth: true,
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'reauthentication-required', 'not-found', 'last-sign-in-method'],
})
