/**
 * Passkeys (WebAuthn): to sign in without a password, as the second step of a login, and to confirm that it is you.
 * `options` and `credential` are the JSON forms of WebAuthn Level 3, as browsers read and write them.
 */
import * as t from 'typebox'
import { LogInReply } from './accounts.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { Ticket } from './second-factor.ts'

const WebAuthnOptions = t.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Looked into by the library that verifies it; here only that it is an object, and of what size its parts are. */
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
  /** It is kept by a provider and found on other devices too. */
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
  summary: 'Begin to sign in by a passkey, or with the ticket of a login to do its second step by one',
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
  summary: 'Sign in by a passkey',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    {
      ...passkeyAnswerFields,
      /** As `logIn`'s; the second step of a login has what was said in the first. */
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
  path: '/auth/confirm/passkey/options/',
  summary: 'Begin to show by a passkey that it is you',
  status: 200,
  reply: PasskeyChallenge,
  errors: [...ownErrors, 'rate-limited'],
})

export const reauthenticateWithPasskey = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/confirm/passkey/',
  summary: 'Show by a passkey that it is you; good for 15 minutes in this session',
  body: t.Object(passkeyAnswerFields, { additionalProperties: false }),
  status: 204,
  reply: t.Null(),
  errors: ['invalid', ...ownErrors, 'ticket-expired', 'passkey-refused', 'rate-limited'],
})

export const listPasskeys = endpoint({
  ...own,
  method: 'GET',
  path: '/auth/passkeys/',
  summary: 'Your passkeys, the newest first',
  query: PageQuery,
  status: 200,
  reply: pageOf(Passkey),
  errors: [...ownErrors, 'invalid-page'],
})

export const beginAddingPasskey = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/passkeys/options/',
  summary: 'Begin to add a passkey',
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
    /** Made with the first second factor, shown once; null where there are some already. */
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
  summary: 'Rename a passkey of yours',
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
  summary: 'Remove a passkey of yours; with the last second factor the recovery codes go too',
  requiresReauth: true,
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'reauthentication-required', 'not-found', 'last-sign-in-method'],
})
