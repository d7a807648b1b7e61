/**
 * Routes for confirming e-mail addresses: of new accounts, and new ones entered in Settings. No response reveals whether
 * another account has an address; a mail to that address does.
 */
import {
  cancelEmailChange,
  changeEmail,
  confirmEmail,
  readEmailConfirmation,
  resendEmailConfirmation,
} from '@reelmark/contract/account-settings.ts'
import type { FastifyInstance } from 'fastify'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'
import { countMail } from '../../../core/mail/mail-limit.ts'
import { noteSecurityContext } from '../../../core/security-log.ts'
import { lockUser } from '../accounts/sign-in-methods.ts'
import { queueSecurityMail } from '../mails/queue-security-mail.ts'
import { endUserResets } from '../passwords/queries.ts'
import { confirmEmailJob } from './jobs.ts'
import * as queries from './queries.ts'

export function registerEmailConfirmation(app: FastifyInstance): void {
  const { db, jobs, settings } = app.deps

  /**
   * Queues the mail. Only the job checks whether the address is taken, so that the response time reveals nothing.
   * @throws ApiError('rate-limited') if the user requested the maximum of such mails within a day
   */
  async function requestMail(tx: TransactionSql, request: { user_id: number; email: string }): Promise<void> {
    if (!(await countMail(tx, { user_id: request.user_id }, 'confirm email', settings))) {
      throw new ApiError('rate-limited', {}, rateLimits['security-mail'].seconds)
    }
    await jobs.send(tx, confirmEmailJob, request)
  }

  mount(app, changeEmail, async ({ input: { body }, viewer }) => {
    const request = { user_id: viewer.id, email: body.email }
    await db.begin(async (tx) => {
      await lockUser(tx, viewer)
      const token_hash = hashOpaqueToken(newOpaqueToken())
      if (!(await queries.requestEmailChange(tx, { ...request, token_hash }))) throw sameAddressError()
      await requestMail(tx, request)
    })
    return {
      detail: 'Follow the link that we mailed to the new address to confirm it.',
      pending_email: body.email,
    }
  })

  mount(app, cancelEmailChange, async ({ viewer }) => {
    await queries.cancelEmailChange(db, viewer.id)
    return null
  })

  mount(app, resendEmailConfirmation, async ({ viewer }) => {
    await db.begin(async (tx) => {
      const email = await queries.findUnconfirmedEmail(tx, viewer.id)
      if (email === null) throw new ApiError('email-already-confirmed')
      await requestMail(tx, { user_id: viewer.id, email })
    })
    return null
  })

  mount(
    app,
    readEmailConfirmation,
    async ({ input: { body } }) => {
      const confirmation = await queries.findConfirmation(db, hashOpaqueToken(body.token))
      if (confirmation === null) throw new ApiError('invalid-email-link')
      return confirmation
    },
    { limit: 'email-confirmation' },
  )

  mount(
    app,
    confirmEmail,
    async ({ input: { body }, viewer, request }) => {
      const token_hash = hashOpaqueToken(body.token)
      const { email } = await db
        .begin(async (tx) => {
          const confirmed = await queries.consumeConfirmation(tx, token_hash, viewer?.id ?? null)
          if (confirmed === null) throw new ApiError('invalid-email-link')
          noteSecurityContext(request, { target_id: confirmed.id })
          if (confirmed.old_email !== null) {
            // Links for resetting the password were mailed to the old address.
            await endUserResets(tx, confirmed.id)
            await queueSecurityMail(tx, app.deps, 'email changed', { to: confirmed.old_email })
          }
          return confirmed
        })
        .catch(async (error: { code?: string }) => {
          if (error.code !== uniqueViolation) throw error
          await queries.cancelConfirmation(db, token_hash)
          // Only the owner of the address can get here, since the link was mailed to it.
          throw new ApiError('invalid-email-link', {
            detail: 'This email is already used by another account.',
          })
        })
      return { detail: 'Your email address has been confirmed.', email }
    },
    { limit: 'email-confirmation' },
  )
}

const uniqueViolation = '23505'

function sameAddressError(): InvalidFields {
  return new InvalidFields({ email: ['This is already your email.'] })
}
