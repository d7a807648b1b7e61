/**
 * Another e-mail address: asked for in Settings, confirmed by the link that is mailed there. Who asks never learns
 * whether it is somebody's already; that address does.
 */
import { cancelEmailChange, changeEmail, confirmEmailChange } from '@reelmark/contract/account-settings.ts'
import { limits } from '@reelmark/contract/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../app.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import type { JobQueue } from '../../core/jobs.ts'
import { queueMail } from '../../core/mail-queue.ts'
import { newOpaqueToken, opaqueTokenHash } from '../../core/opaque-tokens.ts'
import { takeToken } from '../../core/rate-limits.ts'
import { confirmEmailMail, emailChangedMail, emailTakenMail } from './email-change-mails.ts'
import * as queries from './email-change-queries.ts'
import { endResetsOf } from './password-queries.ts'
import { confirmEmailPath } from './rules.ts'

/** Sent for every address that somebody asks for, free or not. */
const emailChange = { name: 'email-change' }

interface Asked {
  user_id: number
  email: string
}

export function registerEmailChange(app: FastifyInstance): void {
  const { db, jobs, settings } = app.deps

  mount(app, changeEmail, async ({ input: { body }, viewer, request }) => {
    const asked = { user_id: viewer.id, email: body.email }
    await db.begin(async (tx) => {
      const token_hash = opaqueTokenHash(newOpaqueToken())
      if (!(await queries.askForEmail(tx, { ...asked, token_hash }))) throw sameAddress()
      await takeToken(tx, 'email change', request, viewer, settings.rateLimitScale)
      // Whether it is taken is seen by the job alone, so the time tells nothing.
      await jobs.send(tx, emailChange, asked)
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
    async ({ input: { body } }) => {
      const token_hash = opaqueTokenHash(body.token)
      const changed = await db
        .begin(async (tx) => {
          const taken = await queries.takeEmailChange(tx, token_hash)
          if (taken === null) throw new ApiError('bad-email-link')
          // Their links went to the old address.
          await endResetsOf(tx, taken.id)
          const { username, old_email } = taken
          await queueMail(tx, app.deps, emailChangedMail({ username, email: old_email }, settings.publicUrl))
          return taken
        })
        .catch(async (error: { code?: string }) => {
          if (error.code !== uniqueViolation) throw error
          await queries.dropEmailChange(db, token_hash)
          // Only whoever reads the mails of that address gets here.
          throw new ApiError('bad-email-link', { detail: 'Another account has this email address by now.' })
        })
      return { detail: 'Your email address has been changed.', email: changed.email }
    },
    { limit: 'email confirm' },
  )
}

const uniqueViolation = '23505'

function sameAddress(): InvalidFields {
  return new InvalidFields({ email: ['This is your email address already.'] })
}

/** Mails the link to the address where it is free; where it is not, tells whose it is. */
export function emailChangeQueue(
  deps: Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>,
): JobQueue<Asked> {
  const { db } = deps
  const { publicUrl } = deps.settings
  return {
    ...emailChange,
    retries: 5,
    seconds: 60,
    concurrency: 2,
    work: ({ user_id, email }) =>
      db.begin(async (tx) => {
        const token = newOpaqueToken()
        const asked = await queries.openEmailChange(tx, {
          user_id,
          email,
          token_hash: opaqueTokenHash(token),
        })
        if (asked === null || asked.owner?.is_banned) return
        const mail =
          asked.owner === null
            ? confirmEmailMail({ username: asked.username, email }, confirmEmailPath(token), publicUrl)
            : emailTakenMail(asked.owner, publicUrl)
        await queueMail(tx, deps, mail, { usefulFor: limits.emailChangeSeconds })
      }),
  }
}
