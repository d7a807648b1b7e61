/**
 * Routes for changing the e-mail address: requested in Settings, confirmed by the link mailed to the new address. The
 * response never reveals whether another account has the address; a mail to that address does.
 */
import { cancelEmailChange, changeEmail, confirmEmailChange } from '@reelmark/contract/account-settings.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { consumeRequestToken } from '../../../core/http/rate-limits.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { noteSecurityContext } from '../../../core/security-log.ts'
import { endUserResets } from '../passwords/queries.ts'
import { confirmEmailMail, emailChangedMail, emailTakenMail } from './mails.ts'
import * as queries from './queries.ts'

/** Queued for every requested address, free or not. */
const emailChangeJob = { name: 'email-change' }

interface EmailChangeRequest {
  user_id: number
  email: string
}

export function registerEmailChange(app: FastifyInstance): void {
  const { db, jobs, settings } = app.deps

  mount(app, changeEmail, async ({ input: { body }, viewer, request }) => {
    const requested = { user_id: viewer.id, email: body.email }
    await db.begin(async (tx) => {
      const token_hash = hashOpaqueToken(newOpaqueToken())
      if (!(await queries.requestEmailChange(tx, { ...requested, token_hash }))) throw sameAddressError()
      await consumeRequestToken(tx, 'email-change', request, viewer, settings.rateLimitScale)
      // Only the job checks whether the address is taken, so that the response time reveals nothing.
      await jobs.send(tx, emailChangeJob, requested)
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

  mount(
    app,
    confirmEmailChange,
    async ({ input: { body }, request }) => {
      const token_hash = hashOpaqueToken(body.token)
      const changed = await db
        .begin(async (tx) => {
          const change = await queries.consumeEmailChange(tx, token_hash)
          if (change === null) throw new ApiError('invalid-email-link')
          // Links for resetting the password were mailed to the old address.
          await endUserResets(tx, change.id)
          const { username, old_email } = change
          await queueMail(tx, app.deps, emailChangedMail({ username, email: old_email }, settings.publicUrl))
          return change
        })
        .catch(async (error: { code?: string }) => {
          if (error.code !== uniqueViolation) throw error
          await queries.cancelEmailChangeByToken(db, token_hash)
          // Only the owner of the address can get here, since the link was mailed to it.
          throw new ApiError('invalid-email-link', {
            detail: 'This email is already used by another account.',
          })
        })
      noteSecurityContext(request, { target_id: changed.id })
      return { detail: 'Your email address has been changed.', email: changed.email }
    },
    { limit: 'email-confirm' },
  )
}

const uniqueViolation = '23505'

function sameAddressError(): InvalidFields {
  return new InvalidFields({ email: ['This is already your email.'] })
}

/** Returns the job that mails the link, or informs the owner of an address that is taken. */
export function emailChangeQueue(
  deps: Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>,
): JobQueue<EmailChangeRequest> {
  const { db } = deps
  const { publicUrl } = deps.settings
  return {
    ...emailChangeJob,
    retries: 5,
    seconds: 60,
    concurrency: 2,
    work: ({ user_id, email }) =>
      db.begin(async (tx) => {
        const token = newOpaqueToken()
        const requested = await queries.activateEmailChange(tx, {
          user_id,
          email,
          token_hash: hashOpaqueToken(token),
        })
        if (requested === null || requested.owner?.is_banned) return
        const mail =
          requested.owner === null
            ? confirmEmailMail({ username: requested.username, email }, confirmEmailPath(token), publicUrl)
            : emailTakenMail(requested.owner, publicUrl)
        await queueMail(tx, deps, mail, { usefulFor: limits.emailChangeSeconds })
      }),
  }
}

/** Returns the path of the link that confirms an e-mail address, below PUBLIC_URL. */
function confirmEmailPath(token: string): string {
  return `/confirm-email/${token}`
}
