/** Routes for the second step of a login and for setting up the second factor. */
import {
  beginAuthenticator,
  confirmAuthenticator,
  deleteAuthenticator,
  logInWithSecondFactor,
  renewRecoveryCodes,
} from '@reelmark/contract/second-factor.ts'
import type { FastifyInstance } from 'fastify'
import { encrypt } from '../../../core/auth/encryption.ts'
import { attemptTicket, consumeTicket, readTicket } from '../../../core/auth/one-time-tickets.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { logSecurityEvent, noteSecurityContext } from '../../../core/security-log.ts'
import { lockUser, mailSecurityChange } from '../accounts/sign-in-methods.ts'
import * as queries from './queries.ts'
import {
  createRecoveryCodes,
  prepareFirstRecoveryCodes,
  prepareRecoveryCodes,
  removeUnneededRecoveryCodes,
  replaceRecoveryCodes,
} from './recovery-codes.ts'
import { authenticatorUrl, newSecret, readCode } from './rules.ts'
import { completeLogin, hasSecondFactor, type SecondFactorTicket } from './second-factor-login.ts'
import { enterCode, useAppCode } from './verify-code.ts'

export function registerSecondFactor(app: FastifyInstance): void {
  const { deps } = app
  const { db } = deps
  const purpose = 'second-factor'

  mount(app, logInWithSecondFactor, async ({ input: { body }, request, reply }) => {
    const owner = (await readTicket(db, purpose, body.ticket))?.user_id ?? null
    if (owner === null) throw new ApiError('ticket-expired')
    noteSecurityContext(request, { target_id: owner })
    const entered = await enterCode(deps, request, owner, body.verification_code)
    // Before and outside the transaction, because a wrong code rolls it back but must be counted.
    if ((await attemptTicket(db, purpose, body.ticket)) === null) {
      await entered.forgive()
      throw new ApiError('ticket-expired')
    }
    const signedIn = await db.begin(async (tx) => {
      await queries.lockUserForLogin(tx, owner)
      const ticket = await consumeTicket<SecondFactorTicket>(tx, purpose, body.ticket)
      if (ticket === null) throw new ApiError('ticket-expired')
      await entered.use(tx)
      return completeLogin(tx, { request, reply }, ticket)
    })
    await entered.forgive()
    if (entered.kind === 'recovery_code') logSecurityEvent(request, 'recovery-code-used')
    return signedIn
  })

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
    async ({ input: { body }, viewer }) => {
      const recoveryCodes = await prepareFirstRecoveryCodes(db, viewer.id)
      return db.begin(async (tx) => {
        await lockUser(tx, viewer)
        await useAppCode(deps, tx, viewer.id, readCode(body.verification_code).code, 'begun')
        await mailSecurityChange(tx, deps, viewer.id, 'authenticator added')
        return { recovery_codes: await createRecoveryCodes(tx, viewer.id, recoveryCodes) }
      })
    },
    { limit: 'confirm-authenticator' },
  )

  mount(
    app,
    deleteAuthenticator,
    ({ viewer }) =>
      db.begin(async (tx) => {
        await lockUser(tx, viewer)
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
    async ({ viewer }) => {
      const recoveryCodes = await prepareRecoveryCodes()
      return db.begin(async (tx) => {
        await lockUser(tx, viewer)
        if (!(await hasSecondFactor(tx, viewer.id))) throw new ApiError('not-found')
        await mailSecurityChange(tx, deps, viewer.id, 'recovery codes renewed')
        return { recovery_codes: await replaceRecoveryCodes(tx, viewer.id, recoveryCodes) }
      })
    },
    { limit: 'second-factor' },
  )
}
