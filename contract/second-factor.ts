/** The second step of a login: an authenticator app, a passkey (passkeys.ts), or one of the recovery codes. */
import * as t from 'typebox'
import { LogInReply } from './accounts.ts'
import { endpoint } from './protocol/endpoint.ts'
import * as limits from './protocol/limits.ts'

export const secondFactors = ['authenticator', 'passkey', 'recovery_code'] as const

/** What `second-factor-required` says beside its text: the password was right, and this is what else is asked. */
export const SecondFactorRequired = t.Object({
  detail: t.String(),
  /** Names this login in the second step, for some minutes. */
  ticket: t.String(),
  /** In the order in which to offer them. */
  methods: t.Array(t.Enum(secondFactors)),
})
export type SecondFactorRequired = t.Static<typeof SecondFactorRequired>

export const Ticket = t.String({ minLength: 1, maxLength: 200 })

export const logInWithSecondFactor = endpoint({
  method: 'POST',
  path: '/token/second-factor/',
  summary: 'The second step of a login: the code of an authenticator app, or a recovery code',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    {
      ticket: Ticket,
      /** Six digits, or a recovery code; blanks, dashes and case do not matter. */
      verification_code: t.String({ minLength: 1, maxLength: 50 }),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: LogInReply,
  /** A wrong code is `{"verification_code": ["…"]}`; too many of them end the ticket. */
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

/** Shown once; each works once. */
export const RecoveryCodes = t.Object({ recovery_codes: t.Array(t.String()) })

export const beginAuthenticator = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/authenticator/',
  summary: 'Begin to set up an authenticator app; it counts once a code of it was given',
  requiresReauth: true,
  status: 201,
  reply: t.Object({
    /** Base32, to type in by hand. */
    secret: t.String(),
    /** otpauth://totp/…, for a QR code. */
    url: t.String(),
  }),
  /** `limit-reached`: one is set up already. */
  errors: [...ownErrors, 'limit-reached'],
})

export const confirmAuthenticator = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/authenticator/confirm/',
  summary: 'Finish setting up an authenticator app by a code of it',
  requiresReauth: true,
  body: t.Object(
    { verification_code: t.String({ minLength: 1, maxLength: 20 }) },
    { additionalProperties: false },
  ),
  status: 200,
  /** Null where there are some already. */
  reply: t.Object({ recovery_codes: t.Union([t.Array(t.String()), t.Null()]) }),
  errors: ['invalid', ...ownErrors],
})

export const deleteAuthenticator = endpoint({
  ...own,
  method: 'DELETE',
  path: '/auth/authenticator/',
  summary: 'Remove the authenticator app; with the last second factor the recovery codes go too',
  requiresReauth: true,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'not-found'],
})

export const renewRecoveryCodes = endpoint({
  ...own,
  method: 'POST',
  path: '/auth/recovery-codes/',
  summary: `${limits.recoveryCodesCount} new recovery codes; the old ones do not work any more`,
  requiresReauth: true,
  status: 201,
  reply: RecoveryCodes,
  /** `not-found`: no second factor is set up. */
  errors: [...ownErrors, 'not-found'],
})
