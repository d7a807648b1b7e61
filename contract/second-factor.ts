/** The second step of a login: a code of an authenticator app, a passkey (passkeys.ts) or a recovery code. */
import * as t from 'typebox'
import { LogInReply } from './accounts.ts'
import { endpoint } from './protocol/endpoint.ts'
import * as limits from './protocol/limits.ts'

export const secondFactors = ['authenticator', 'passkey', 'recovery_code'] as const

/** Body of the error `second-factor-required`: the first step was correct, and one of `methods` is needed. */
export const SecondFactorRequired = t.Object({
  detail: t.String(),
  /** Identifies this login in the second step; expires after some minutes. */
  ticket: t.String(),
  /** In the order to offer them. */
  methods: t.Array(t.Enum(secondFactors)),
})
export type SecondFactorRequired = t.Static<typeof SecondFactorRequired>

export const Ticket = t.String({ minLength: 1, maxLength: 200 })

export const logInWithSecondFactor = endpoint({
  method: 'POST',
  path: '/token/second-factor/',
  summary: 'Complete a login with a code of an authenticator app or a recovery code',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    {
      ticket: Ticket,
      /** Six digits, or a recovery code. Spaces, dashes and case are ignored. */
      verification_code: t.String({ minLength: 1, maxLength: 50 }),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: LogInReply,
  /** A wrong code is `invalid` with `{"verification_code": ["…"]}`; too many wrong codes invalidate the ticket. */
  errors: ['invalid', 'ticket-expired', 'banned', 'login-rate-limited'],
})

const own = { group: 'accounts', auth: 'user', scope: 'session', invalidatesCache: false } as const
const ownErrors = [
  'unauthenticated',
  'invalid-token',
  'insufficient-scope',
  'reauthentication-required',
  'rate-limited',
] as const

/** Shown only here. Each code works once. */
export const RecoveryCodes = t.Object({ recovery_codes: t.Array(t.String()) })

export const beginAuthenticator = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/authenticator/',
  summary: 'Begin setting up an authenticator app; it is active once a code is confirmed',
  requiresReauth: true,
  status: 201,
  reply: t.Object({
    /** Base32, for typing in by hand. */
    secret: t.String(),
    /** otpauth://totp/… URL for a QR code. */
    url: t.String(),
  }),
  /** `limit-reached`: an authenticator app is already set up. */
  errors: [...ownErrors, 'limit-reached'],
})

export const confirmAuthenticator = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/authenticator/confirm/',
  summary: 'Finish setting up an authenticator app with a code of it',
  requiresReauth: true,
  body: t.Object(
    { verification_code: t.String({ minLength: 1, maxLength: 20 }) },
    { additionalProperties: false },
  ),
  status: 200,
  /** Null: the account already has recovery codes. */
  reply: t.Object({ recovery_codes: t.Union([t.Array(t.String()), t.Null()]) }),
  errors: ['invalid', ...ownErrors],
})

export const deleteAuthenticator = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/authenticator/',
  summary: 'Remove the authenticator app; with the last second factor the recovery codes are deleted too',
  requiresReauth: true,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'not-found'],
})

export const renewRecoveryCodes = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/recovery-codes/',
  summary: `Create ${limits.recoveryCodesCount} new recovery codes; the previous ones stop working`,
  requiresReauth: true,
  status: 201,
  reply: RecoveryCodes,
  /** `not-found`: no second factor is set up. */
  errors: [...ownErrors, 'not-found'],
})
