/** Personal access tokens for scripts and extensions, sent as `Authorization: Bearer rmk_…`. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'

/**
 * read: everything the user can see, including private bookmarks. write: everything the user can change. moderate:
 * moderator endpoints, while the user is a moderator. feed: the user's Following feed, at an address that contains the
 * token; only if the token has no other scope. No scope covers passwords, sessions, second factors or tokens.
 */
export const tokenScopes = ['read', 'write', 'moderate', 'feed'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** Identifies a token as ours, also to services that scan published code for leaked secrets. */
export const tokenPrefix = 'rmk_'

export const AccessToken = t.Object({
  id: Id,
  name: t.String(),
  scopes: t.Array(t.Enum(tokenScopes)),
  /** The first characters of the token, to recognise it in a list. */
  hint: t.String(),
  created_at: Time,
  /** Null: the token does not expire. */
  expires_at: nullable(Time),
  /** Precise to the minute. Null: never used. */
  last_used_at: nullable(Time),
})
export type AccessToken = t.Static<typeof AccessToken>

const own = { group: 'accounts', auth: 'user', scope: 'session', invalidatesCache: false } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const

export const listAccessTokens = endpoint({
  ...own,
  method: 'GET',
  path: '/auth/tokens/',
  summary: 'List your access tokens, newest first; expired tokens stay listed for a month',
  query: PageQuery,
  status: 200,
  reply: pageOf(AccessToken),
  errors: [...ownErrors, 'invalid-page'],
})

export const createAccessToken = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/tokens/',
  summary: 'Create an access token; the response is the only time it is shown',
  requiresReauth: true,
  body: t.Object(
    {
      name: text(limits.nameMax),
      scopes: t.Array(t.Enum(tokenScopes), { minItems: 1, maxItems: tokenScopes.length, uniqueItems: true }),
      /** Null: the token does not expire. */
      expires_in_days: nullable(t.Integer({ minimum: 1, maximum: limits.accessTokenDaysMax })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: t.Object({ ...AccessToken.properties, token: t.String() }),
  /** A user who is not a moderator and requests `moderate` gets `invalid` with `{"scopes": ["…"]}`. */
  errors: ['invalid', ...ownErrors, 'reauthentication-required', 'limit-reached', 'rate-limited'],
})

export const deleteAccessToken = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/tokens/:id/',
  summary: 'Revoke an access token',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'not-found'],
})
