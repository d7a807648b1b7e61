/** Access tokens for scripts and extensions: sent as `Authorization: Bearer rmk_…`, in place of a session's token. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'

/**
 * read: whatever you can see, private bookmarks too. write: whatever you can change. moderate: what moderators may, as
 * long as you are one. None of them lets a token at passwords, sessions, second factors or other tokens.
 */
export const tokenScopes = ['read', 'write', 'moderate'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** By which a token is recognised, by us and by those who search published code for secrets. */
export const tokenPrefix = 'rmk_'

export const AccessToken = t.Object({
  id: Id,
  name: t.String(),
  scopes: t.Array(t.Enum(tokenScopes)),
  /** The first characters, to tell one from another. */
  hint: t.String(),
  created_at: Time,
  /** Null: it does not expire. */
  expires_at: nullable(Time),
  /** To the minute; null: never yet. */
  last_used_at: nullable(Time),
})
export type AccessToken = t.Static<typeof AccessToken>

const own = { group: 'accounts', auth: 'user', scope: 'session', invalidatesCache: false } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const

export const listAccessTokens = endpoint({
  ...own,
  method: 'GET',
  path: '/auth/tokens/',
  summary: 'Your access tokens, the newest first; expired ones for a month',
  query: PageQuery,
  status: 200,
  reply: pageOf(AccessToken),
  errors: [...ownErrors, 'invalid-page'],
})

export const createAccessToken = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/tokens/',
  summary: 'Create an access token; it is shown this once',
  requiresReauth: true,
  body: t.Object(
    {
      name: text(limits.nameMax),
      scopes: t.Array(t.Enum(tokenScopes), { minItems: 1, maxItems: tokenScopes.length, uniqueItems: true }),
      /** Null: it does not expire. */
      expires_in_days: nullable(t.Integer({ minimum: 1, maximum: limits.accessTokenDaysMax })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: t.Object({ ...AccessToken.properties, token: t.String() }),
  /** `moderate` by who is no moderator is `{"scopes": ["…"]}`. */
  errors: ['invalid', ...ownErrors, 'reauthentication-required', 'limit-reached', 'rate-limited'],
})

export const deleteAccessToken = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/tokens/:id/',
  summary: 'Remove an access token: it does not work from now on',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'not-found'],
})
