/**
 * Connects a program to an account: OAuth 2.0 (RFC 6749) with the authorization code of a public client and PKCE
 * (RFC 7636). The program opens the page `/connect` with `response_type=code`, `client_id`, `scope`, `state`,
 * `code_challenge`, `code_challenge_method=S256` and, optionally, `redirect_uri`; the user allows it there;
 * the program exchanges the code that it gets for an access token (access-tokens.ts).
 */
import * as t from 'typebox'
import { tokenScopes } from './access-tokens.ts'
import { endpoint } from './protocol/endpoint.ts'
import { nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

/** The scopes that a program can request. The others exist for tokens that users create themselves. */
export const connectionScopes = ['read', 'write'] as const
export type ConnectionScope = (typeof connectionScopes)[number]

/** The programs of this project by their `client_id`. Any program can claim a name: these are for the display only. */
export const knownClients: Readonly<Record<string, string>> = {
  'reelmark-extension': 'Reelmark browser extension',
  'reelmark-cli': 'Reelmark command-line client',
}

/** Returns what a program is called: the name of a known one, otherwise its `client_id`. */
export function clientName(clientId: string): string {
  return Object.hasOwn(knownClients, clientId) ? (knownClients[clientId] as string) : clientId
}

const port = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

/** The form of the parameters that are texts. */
export const parameterFormats = {
  client_id: { minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$' },
  /** The SHA-256 hash of the verifier in base64url. */
  code_challenge: { minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]*$' },
  /** An address of the user's own computer: an IP address with a port (RFC 8252, section 7.3), without a fragment. */
  redirect_uri: {
    minLength: 1,
    maxLength: 500,
    pattern: `^http://(127\\.0\\.0\\.1|\\[::1\\]):${port}/[!-"$-\\[\\]-~]*$`,
  },
} as const

const ClientId = t.String(parameterFormats.client_id)
const CodeChallenge = t.String(parameterFormats.code_challenge)
const RedirectUri = t.String(parameterFormats.redirect_uri)
const Scopes = t.Array(t.Enum(connectionScopes), {
  minItems: 1,
  maxItems: connectionScopes.length,
  uniqueItems: true,
})

export const createConnectionCode = endpoint({
  method: 'POST',
  path: '/auth/connections/',
  summary: 'Allow a program to use your account; it exchanges the code for an access token',
  group: 'accounts',
  auth: 'user',
  scope: 'session',
  requiresReauth: true,
  invalidatesCache: false,
  body: t.Object(
    {
      client_id: ClientId,
      scopes: Scopes,
      code_challenge: CodeChallenge,
      code_challenge_method: t.Enum(['S256']),
      /** Where the browser takes the code; omitted if the page `/connect/done` shows it. */
      redirect_uri: t.Optional(RedirectUri),
      /** When the access token expires. Null: never. */
      expires_in_days: nullable(t.Integer({ minimum: 1, maximum: limits.accessTokenDaysMax })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  /** The code is valid once, for `limits.connectionCodeSeconds`. */
  reply: t.Object({ code: t.String() }),
  errors: ['limit-reached', 'rate-limited'],
})

export const exchangeConnectionCode = endpoint({
  method: 'POST',
  path: '/auth/connections/token/',
  summary: 'Exchange the code of a connection for an access token; a second use revokes the token',
  group: 'accounts',
  auth: 'anyone',
  crossOrigin: true,
  body: t.Object(
    {
      grant_type: t.Enum(['authorization_code']),
      code: t.String({ minLength: 1, maxLength: 100 }),
      code_verifier: t.String({ minLength: 43, maxLength: 128, pattern: '^[A-Za-z0-9._~-]*$' }),
      client_id: ClientId,
      /** The same as when the code was created. */
      redirect_uri: t.Optional(RedirectUri),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: t.Object({
    access_token: t.String(),
    token_type: t.Enum(['Bearer']),
    /** The granted scopes, separated by spaces. */
    scope: t.String(),
    username: t.String(),
  }),
  /** `invalid-token`: the session that allowed the connection has ended. */
  errors: ['invalid-connection-code', 'invalid-token', 'limit-reached', 'rate-limited'],
})

const current = {
  group: 'accounts',
  auth: 'user',
  path: '/auth/connections/current/',
  scope: 'token',
  invalidatesCache: false,
} as const

export const getConnection = endpoint({
  ...current,
  method: 'GET',
  summary: 'Get the account of the access token with which this call is made, and what it allows',
  status: 200,
  reply: t.Object({
    username: t.String(),
    scopes: t.Array(t.Enum(tokenScopes)),
    /** Null: the token does not expire. */
    expires_at: nullable(Time),
  }),
  errors: [],
})

export const endConnection = endpoint({
  ...current,
  method: 'DELETE',
  summary: 'Revoke the access token with which this call is made',
  status: 204,
  reply: t.Null(),
  errors: [],
})
