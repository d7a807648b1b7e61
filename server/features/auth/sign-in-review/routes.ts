/**
 * Routes for the decision about linked sign-in methods after a password reset. A reset alone would leave an intruder the
 * passkey, app or account at another site that they linked.
 */
import { completeSignInReview, getSignInReview } from '@reelmark/contract/sign-in-review.ts'
import type { FastifyInstance } from 'fastify'
import { endUserSessions, revokeProgramAccess } from '../../../core/auth/session.ts'
import { setTrustedDeviceCookie } from '../../../core/auth/trusted-device.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { lockUser, mailSecurityChange } from '../accounts/sign-in-methods.ts'
import { cancelEmailChange } from '../email-confirmation/queries.ts'
import type { SecurityMailKind } from '../mails/mail-texts.ts'
import { deleteAuthenticator } from '../second-factor/queries.ts'
import { removeUnneededRecoveryCodes } from '../second-factor/recovery-codes.ts'
import * as queries from './queries.ts'

export function registerSignInReview(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, getSignInReview, ({ viewer }) => queries.readReview(db, viewer.id))

  mount(
    app,
    completeSignInReview,
    async ({ input: { body }, viewer: { id, session_id }, request, reply }) => {
      const ended = await db.begin(async (tx) => {
        await lockUser(tx, { id, session_id })
        if (!(await queries.endReview(tx, id))) throw new ApiError('not-found')
        const removed: SecurityMailKind[] = []
        // A password exists since the reset, so the user can still sign in.
        if (body.remove_authenticator && (await deleteAuthenticator(tx, id)))
          removed.push('authenticator removed')
        if ((await queries.deletePasskeys(tx, id, body.remove_passkeys)) > 0) removed.push('passkey removed')
        if ((await queries.deleteIdentities(tx, id, body.remove_identities)) > 0)
          removed.push('identity removed')
        for (const change of removed) await mailSecurityChange(tx, app.deps, id, change)
        await removeUnneededRecoveryCodes(tx, id)
        if (removed.length === 0) return null
        // An intruder may have signed in with the removed method since the reset, which itself ended all of these.
        await revokeProgramAccess(tx, id)
        await cancelEmailChange(tx, id)
        return endUserSessions(tx, id, session_id)
      })
      if (ended !== null) setTrustedDeviceCookie(request, reply, { user_id: id, ...ended })
      return null
    },
  )
}
