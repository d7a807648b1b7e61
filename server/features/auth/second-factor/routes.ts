/** Routes for the second step of a login and for setting up the second factor. */
import {
  beginAuthenticator,
  confirmAuthenticator,
  deleteAuthenticator,
  logInWithSecondFactor,
  renewRecoveryCodes,
} from '@reelmark/contract/second-factor.ts'
import type { FastifyInstance } from 'fastify'
import { decrypt, encrypt } from '../../../core/auth/encryption.ts'
import { attemptTicket, consumeTicket, readTicket } from '../../../core/auth/one-time-tickets.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { logSecurityEvent, noteSecurityContext } from '../../../core/security-log.ts'
import { lockUser, mailSecurityChange } from '../accounts/sign-in-methods.ts'
import { registerCodeAttempt } from './code-throttle.ts'
import * as queries from './queries.ts'
import { authenticatorUrl, matchTotpStep, newSecret, readCode } from './rules.ts'
import {
  completeLogin,
  createRecoveryCodes,
  hashRecoveryCode,
  hasSecondFactor,
  removeUnneededRecoveryCodes,
  replaceRecoveryCodes,
  type SecondFactorTicket,
} from './second-factor-login.ts'

/** Messages about a code that was refused, by reason. */

const wrongCodeTexts = {
  authenticator: 'Incorrect code. Codes change every 30 seconds and work once.',
  recovery_code: 'Incorrect or already used recovery code.',
  nothing_begun: 'Setup expired. Start again.',
}

export function registerSecondFactor(app: FastifyInstance): void {
  const { deps } = app
  const { db } = deps
  const purpose = 'second-factor'

  mount(app, logInWithSecondFactor, async ({ input: { body }, request, reply }) => {
    const owner = (await readTicket(db, purpose, body.ticket))?.user_id ?? null
    if (owner === null) throw new ApiError('ticket-expired')
    const { kind, code } = readCode(body.verification_code)
    noteSecurityContext(request, { target_id: owner })
    const forgive = await registerCodeAttempt(deps, request, owner, kind)
    // Before and outside the transaction, because a wrong code rolls it back but must be counted.
    if ((await attemptTicket(db, purpose, body.ticket)) === null) {
      await forgive()
      throw new ApiError('ticket-expired')
    }
    const signedIn = await db.begin(async (tx) => {
      await queries.lockUserForLogin(tx, owner)
      const ticket = await consumeTicket<SecondFactorTicket>(tx, purpose, body.ticket)
      if (ticket === null) throw new ApiError('ticket-expired')
      if (kind === 'recovery_code') await useRecoveryCode(tx, owner, code)
      else await useCode(tx, owner, code, 'set up')
      return completeLogin(tx, { request, reply }, ticket)
    })
    await forgive()
    if (kind === 'recovery_code') logSecurityEvent(request, 'recovery-code-used')
    return signedIn
  })

  /** Checks and uses a code of the app. @throws InvalidFields if it is wrong or was used before */
  async function useCode(
    tx: TransactionSql,
    userId: number,
    code: string,
    state: 'set up' | 'begun',
  ): Promise<void> {
    const encryptedSecret = await queries.findAuthenticator(tx, userId, state)
    if (encryptedSecret === null) throw wrongCodeError(state === 'begun' ? 'nothing_begun' : 'authenticator')
    const secret = decrypt(deps.serverKeys.authenticator, String(userId), encryptedSecret)
    const step = matchTotpStep(secret, code)
    if (step === null || !(await queries.consumeTotpStep(tx, userId, step)))
      throw wrongCodeError('authenticator')
  }

  /** Uses a recovery code and mails the owner. @throws InvalidFields if it is wrong or was used before */
  async function useRecoveryCode(tx: TransactionSql, userId: number, code: string): Promise<void> {
    const left = await queries.consumeRecoveryCode(tx, userId, hashRecoveryCode(code))
    if (left === null) throw wrongCodeError('recovery_code')
    await mailSecurityChange(tx, deps, userId, 'recovery code used', `${left} left`)
  }

  mount(
    app,
    beginAuthenticator,
    async ({ viewer }) => {
      const secret = newSecret()
      const encryptedSecret = encrypt(deps.serverKeys.authenticator, String(viewer.id), secret)
      if (!(await queries.beginAuthenticator(db, viewer.id, encryptedSecret)))
        throw new ApiError('limit-reached')
      return { secret, url: authenticatorUrl(secret, viewer.username) }
    },
    { limit: 'second-factor' },
  )

  mount(
    app,
    confirmAuthenticator,
    ({ input: { body }, viewer }) =>
      db.begin(async (tx) => {
        await lockUser(tx, viewer.id)
        await useCode(tx, viewer.id, readCode(body.verification_code).code, 'begun')
        await mailSecurityChange(tx, deps, viewer.id, 'authenticator added')
        return { recovery_codes: await createRecoveryCodes(tx, viewer.id) }
      }),
    { limit: 'confirm-authenticator' },
  )

  mount(
    app,
    deleteAuthenticator,
    ({ viewer }) =>
      db.begin(async (tx) => {
        await lockUser(tx, viewer.id)
        if (!(await queries.deleteAuthenticator(tx, viewer.id))) throw new ApiError('not-found')
        await removeUnneededRecoveryCodes(tx, viewer.id)
        await mailSecurityChange(tx, deps, viewer.id, 'authenticator removed')
        return null
      }),
    { limit: 'second-factor' },
  )

  mount(
    app,
    renewRecoveryCodes,
    ({ viewer }) =>
      db.begin(async (tx) => {
        await lockUser(tx, viewer.id)
        if (!(await hasSecondFactor(tx, viewer.id))) throw new ApiError('not-found')
        await mailSecurityChange(tx, deps, viewer.id, 'recovery codes renewed')
        return { recovery_codes: await replaceRecoveryCodes(tx, viewer.id) }
      }),
    { limit: 'second-factor' },
  )
}

function wrongCodeError(reason: keyof typeof wrongCodeTexts): InvalidFields {
  return new InvalidFields({ verification_code: [wrongCodeTexts[reason]] })
}
