/**
 * Passkeys (WebAuthn) for signing in without a password, as the second factor, and for reauthentication. `options` and
 * `credential` are the JSON forms of WebAuthn Level 3, as browsers read and write them.
 */
import * as t from 'typebox'
import { LogInReply } from './accounts.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { Ticket } from './second-factor.ts'

const WebAuthnOptions = t.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Only the outer structure and sizes are checked here. The WebAuthn library verifies the rest. */
const Credential = t.Unsafe<Record<string, unknown>>({
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 1400 },
    rawId: { type: 'string', minLength: 1, maxLength: 1400 },
    type: { type: 'string', enum: ['public-key'] },
    response: { type: 'object', additionalProperties: true },
  },
  required: ['id', 'rawId', 'type', 'response'],
  additionalProperties: true,
})

export const Passkey = t.Object({
  id: Id,
  name: t.String(),
  /** Whether a provider stores the passkey and makes it available on other devices. */
  is_synced: t.Boolean(),
  created_at: Time,
  last_used_at: nullable(Time),
})
export type Passkey = t.Static<typeof Passkey>

const PasskeyChallenge = t.Object({ ticket: Ticket, options: WebAuthnOptions })
const passkeyAnswerFields = { ticket: Ticket, credential: Credential }

export const beginPasskeyLogin = endpoint({
  method: 'POST',
  path: '/token/passkey/options/',
  summary: 'Begin signing in with a passkey, or with `ticket` the second step of a login',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object({ ticket: t.Optional(Ticket) }, { additionalProperties: false }),
  status: 200,
  reply: PasskeyChallenge,
  errors: ['invalid', 'ticket-expired', 'rate-limited'],
})

export const logInWithPasskey = endpoint({
  method: 'POST',
  path: '/token/passkey/',
  summary: 'Sign in with a passkey',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    {
      ...passkeyAnswerFields,
      /** As for `logIn`. Ignored in the second step of a login, which uses the value of the first step. */
      remember: t.Optional(t.Boolean({ default: true })),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: LogInReply,
  errors: ['invalid', 'ticket-expired', 'passkey-refused', 'banned', 'rate-limited'],
})

const own = { group: 'accounts', auth: 'user', scope: 'session', invalidatesCache: false } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const

export const beginPasskeyReauthentication = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/reauthenticate/passkey/options/',
  summary: 'Begin reauthenticating with a passkey',
  status: 200,
  reply: PasskeyChallenge,
  errors: [...ownErrors, 'rate-limited'],
})

export const reauthenticateWithPasskey = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/reauthenticate/passkey/',
  summary: 'Reauthenticate with a passkey; valid for 15 minutes in this session',
  body: t.Object(passkeyAnswerFields, { additionalProperties: false }),
  status: 204,
  reply: t.Null(),
  errors: ['invalid', ...ownErrors, 'ticket-expired', 'passkey-refused', 'rate-limited'],
})

export const listPasskeys = endpoint({
  ...own,
  method: 'GET',
  path: '/auth/passkeys/',
  summary: 'List your passkeys, newest first',
  query: PageQuery,
  status: 200,
  reply: pageOf(Passkey),
  errors: [...ownErrors, 'invalid-page'],
})

export const beginAddingPasskey = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/passkeys/options/',
  summary: 'Begin adding a passkey',
  requiresReauth: true,
  status: 200,
  reply: PasskeyChallenge,
  errors: [...ownErrors, 'reauthentication-required', 'limit-reached', 'rate-limited'],
})

export const addPasskey = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/passkeys/',
  summary: 'Add a passkey',
  requiresReauth: true,
  body: t.Object({ ...passkeyAnswerFields, name: text(limits.nameMax) }, { additionalProperties: false }),
  status: 201,
  reply: t.Object({
    passkey: Passkey,
    /** Created with the first second factor and shown only here. Null: the account already has some. */
    recovery_codes: t.Union([t.Array(t.String()), t.Null()]),
  }),
  errors: [
    'invalid',
    ...ownErrors,
    'reauthentication-required',
    'ticket-expired',
    'passkey-refused',
    'limit-reached',
  ],
})

export const renamePasskey = endpoint({
  ...own,
  method: 'PATCH',
  path: '/auth/passkeys/:id/',
  summary: 'Rename your passkey',
  params: IdParams,
  body: t.Object({ name: text(limits.nameMax) }, { additionalProperties: false }),
  status: 200,
  reply: Passkey,
  errors: ['invalid', ...ownErrors, 'not-found'],
})

export const deletePasskey = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/passkeys/:id/',
  summary: 'Remove your passkey; with the last second factor the recovery codes are deleted too',
  requiresReauth: true,
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'reauthentication-required', 'not-found', 'last-sign-in-method'],
})
