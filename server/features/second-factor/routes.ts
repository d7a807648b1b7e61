/** The second step of a login, and setting it up, over HTTP. */
import {
  beginAuthenticator,
  confirmAuthenticator,
  logInBySecondFactor,
  removeAuthenticator,
  renewRecoveryCodes,
} from '@reelmark/contract/second-factor.ts'
import type { FastifyInstance } from 'fastify'
import type { TransactionSql } from '../../core/database.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { seal, unseal } from '../../core/sealing.ts'
import { readTicket, takeTicket, tryTicket } from '../../core/tickets.ts'
import { lockUser, tellOfChange } from '../accounts/cards.ts'
import {
  dropNeedlessRecoveryCodes,
  finishLogin,
  hasSecondFactor,
  makeRecoveryCodes,
  recoveryHash,
  replaceRecoveryCodes,
  type SecondFactorTicket,
} from './cards.ts'
import * as queries from './queries.ts'
import { authenticatorUrl, newSecret, readCode, stepOfCode } from './rules.ts'
import { countCode } from './throttle.ts'

/** Most of them are a mail to the owner. */

const wrong = {
  authenticator: 'That code is not right. Codes are good for 30 seconds, and each works once.',
  recovery_code: 'That recovery code is not right, or was used already.',
  nothing_begun: 'There is no app waiting for a code. Please start again.',
}

export function registerSecondFactor(app: FastifyInstance): void {
  const { deps } = app
  const { db } = deps
  const purpose = 'second factor'

  mount(app, logInBySecondFactor, async ({ input: { body }, request, reply }) => {
    const owner = (await readTicket(db, purpose, body.ticket))?.user_id ?? null
    if (owner === null) throw new ApiError('bad-ticket')
    const { kind, code } = readCode(body.code)
    const succeeded = await countCode(deps, request, owner, kind)
    // Before and outside the transaction: a wrong code rolls that back, and counts all the same.
    if ((await tryTicket(db, purpose, body.ticket)) === null) {
      await succeeded()
      throw new ApiError('bad-ticket')
    }
    const signedIn = await db.begin(async (tx) => {
      await queries.lockForLogin(tx, owner)
      const ticket = await takeTicket<SecondFactorTicket>(tx, purpose, body.ticket)
      if (ticket === null) throw new ApiError('bad-ticket')
      if (kind === 'recovery_code') await useRecoveryCode(tx, owner, code)
      else await useCode(tx, owner, code, 'set up')
      return finishLogin(tx, { request, reply }, ticket)
    })
    await succeeded()
    return signedIn
  })

  /** @throws InvalidFields where it is not right, or was used. */
  async function useCode(
    tx: TransactionSql,
    userId: number,
    code: string,
    which: 'set up' | 'begun',
  ): Promise<void> {
    const sealed = await queries.findAuthenticator(tx, userId, which)
    if (sealed === null) throw wrongCode(which === 'begun' ? 'nothing_begun' : 'authenticator')
    const secret = unseal(deps.serverKeys.authenticator, String(userId), sealed)
    const step = stepOfCode(secret, code)
    if (step === null || !(await queries.takeStep(tx, userId, step))) throw wrongCode('authenticator')
  }

  /** @throws InvalidFields as `useCode`. */
  async function useRecoveryCode(tx: TransactionSql, userId: number, code: string): Promise<void> {
    const left = await queries.spendRecoveryCode(tx, userId, recoveryHash(code))
    if (left === null) throw wrongCode('recovery_code')
    await tellOfChange(tx, deps, userId, 'recovery code used', `${left} left`)
  }

  mount(
    app,
    beginAuthenticator,
    async ({ viewer }) => {
      const secret = newSecret()
      const sealed = seal(deps.serverKeys.authenticator, String(viewer.id), secret)
      if (!(await queries.beginAuthenticator(db, viewer.id, sealed))) throw new ApiError('too-many-there')
      return { secret, url: authenticatorUrl(secret, viewer.username) }
    },
    { limit: 'second factor' },
  )

  mount(
    app,
    confirmAuthenticator,
    ({ input: { body }, viewer }) =>
      db.begin(async (tx) => {
        await lockUser(tx, viewer.id)
        await useCode(tx, viewer.id, readCode(body.code).code, 'begun')
        await tellOfChange(tx, deps, viewer.id, 'authenticator added')
        return { recovery_codes: await makeRecoveryCodes(tx, viewer.id) }
      }),
    { limit: 'confirm authenticator' },
  )

  mount(
    app,
    removeAuthenticator,
    ({ viewer }) =>
      db.begin(async (tx) => {
        await lockUser(tx, viewer.id)
        if (!(await queries.removeAuthenticator(tx, viewer.id))) throw new ApiError('not-found')
        await dropNeedlessRecoveryCodes(tx, viewer.id)
        await tellOfChange(tx, deps, viewer.id, 'authenticator removed')
        return null
      }),
    { limit: 'second factor' },
  )

  mount(
    app,
    renewRecoveryCodes,
    ({ viewer }) =>
      db.begin(async (tx) => {
        await lockUser(tx, viewer.id)
        if (!(await hasSecondFactor(tx, viewer.id))) throw new ApiError('not-found')
        await tellOfChange(tx, deps, viewer.id, 'recovery codes renewed')
        return { recovery_codes: await replaceRecoveryCodes(tx, viewer.id) }
      }),
    { limit: 'second factor' },
  )
}

function wrongCode(why: keyof typeof wrong): InvalidFields {
  return new InvalidFields({ code: [wrong[why]] })
}
