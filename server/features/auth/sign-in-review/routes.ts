/**
 * Routes for the decision about linked sign-in methods after a password reset. A reset alone would leave an intruder the
 * passkey, app or account at another site that they linked.
 */
import { completeSignInReview, getSignInReview } from '@reelmark/contract/sign-in-review.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { lockUser, mailSecurityChange } from '../accounts/sign-in-methods.ts'
import { deleteAuthenticator } from '../second-factor/queries.ts'
import { removeUnneededRecoveryCodes } from '../second-factor/recovery-codes.ts'
import * as queries from './queries.ts'

export function registerSignInReview(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, getSignInReview, ({ viewer }) => queries.readReview(db, viewer.id))

  mount(app, completeSignInReview, async ({ input: { body }, viewer: { id } }) => {
    await db.begin(async (tx) => {
      await lockUser(tx, id)
      if (!(await queries.endReview(tx, id))) throw new ApiError('not-found')
      // A password exists since the reset, so the user can still sign in.
      if (body.remove_authenticator && (await deleteAuthenticator(tx, id)))
        await mailSecurityChange(tx, app.deps, id, 'authenticator removed')
      if ((await queries.deletePasskeys(tx, id, body.remove_passkeys)) > 0)
        await mailSecurityChange(tx, app.deps, id, 'passkey removed')
      if ((await queries.deleteIdentities(tx, id, body.remove_identities)) > 0)
        await mailSecurityChange(tx, app.deps, id, 'identity removed')
      await removeUnneededRecoveryCodes(tx, id)
    })
    return null
  })
}
