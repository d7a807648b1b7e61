/** After a password reset, the user decides which linked sign-in methods to keep. */
import * as t from 'typebox'
import { Identity } from './identities.ts'
import { Passkey } from './passkeys.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

export const SignInReview = t.Object({
  /** The time of the password reset; null if nothing waits for a decision. */
  since: nullable(Time),
  /** When the authenticator app was set up; null if the user has no authenticator app. */
  authenticator_since: nullable(Time),
  passkeys: t.Array(Passkey),
  identities: t.Array(Identity),
})
export type SignInReview = t.Static<typeof SignInReview>

const own = { group: 'accounts', auth: 'user', scope: 'session', path: '/auth/sign-in-review/' } as const

export const getSignInReview = endpoint({
  ...own,
  method: 'GET',
  summary: 'List the linked sign-in methods that wait for your decision after a password reset',
  status: 200,
  reply: SignInReview,
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope'],
})

export const completeSignInReview = endpoint({
  ...own,
  method: 'POST',
  summary: 'Remove the linked sign-in methods that are not yours, and keep the others',
  requiresReauth: true,
  invalidatesCache: false,
  body: t.Object(
    {
      remove_authenticator: t.Boolean(),
      remove_passkeys: t.Array(Id, { maxItems: limits.passkeysMax, uniqueItems: true }),
      remove_identities: t.Array(Id, { maxItems: limits.maxPageSize, uniqueItems: true }),
    },
    { additionalProperties: false },
  ),
  status: 204,
  reply: t.Null(),
  /** `not-found`: nothing waits for a decision. */
  errors: [
    'invalid',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'reauthentication-required',
    'not-found',
  ],
})
