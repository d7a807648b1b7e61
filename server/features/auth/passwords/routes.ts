/** Routes for resetting and changing passwords (docs/behaviour.md, Accounts and sessions). */
import {
  changePassword,
  confirmPasswordReset,
  requestPasswordReset,
  resetRequestedText,
} from '@reelmark/contract/accounts.ts'
import type { FastifyInstance } from 'fastify'
import { registerPasswordCheck } from '../../../core/auth/login-throttle.ts'
import { hashPassword, verifyPassword } from '../../../core/auth/passwords.ts'
import { endUserSessions, revokeProgramAccess } from '../../../core/auth/session.ts'
import { setTrustedDeviceCookie } from '../../../core/auth/trusted-device.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { noteSecurityContext } from '../../../core/security-log.ts'
import { mailSecurityChange } from '../accounts/sign-in-methods.ts'
import { cancelEmailChange } from '../email-confirmation/queries.ts'
import { removeUnneededRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { requireRecentSecondFactor } from '../second-factor/second-factor-login.ts'
import { removeUntrustedMethods, startReview } from '../sign-in-review/queries.ts'
import { passwordResetJob } from './jobs.ts'
import {
  consumeReset,
  endUserResets,
  findPasswordOwner,
  findResetOwner,
  type PasswordOwner,
  replacePassword,
} from './queries.ts'
import { passwordProblems, readResetLink } from './rules.ts'

export function registerPasswords(app: FastifyInstance): void {
  const { db, jobs, settings } = app.deps
  const { publicUrl } = settings

  /**
   * Sets the password, ends all sessions except `currentSessionId`, all access tokens and webhooks. Returns null if
   * `replacePassword` returns false, otherwise like `endUserSessions`.
   */
  async function setPassword(
    tx: TransactionSql,
    owner: PasswordOwner,
    newHash: string,
    currentSessionId: number | null,
  ): Promise<{ generation: number } | null> {
    if (!(await replacePassword(tx, owner, newHash))) return null
    // Anyone who knew the old password could create tokens and webhooks.
    await revokeProgramAccess(tx, owner.id)
    return endUserSessions(tx, owner.id, currentSessionId)
  }

  mount(
    app,
    requestPasswordReset,
    async ({ input: { body } }) => {
      // Only the job checks whether the account exists, so that the response time reveals nothing.
      await jobs.send(db, passwordResetJob, { email: body.email })
      return { detail: resetRequestedText }
    },
    { limit: 'password-reset' },
  )

  mount(
    app,
    confirmPasswordReset,
    async ({ input: { body }, request }) => {
      throwIfInvalid(repetitionProblems(body))
      const link = readResetLink(body)
      const owner = link === null ? null : await findResetOwner(db, link)
      if (link === null || owner === null) throw new ApiError('invalid-reset-link')
      noteSecurityContext(request, { target_id: owner.id })
      throwIfInvalid(newPasswordProblems(body, { ...owner, publicUrl }))
      const newHash = await hashPassword(body.new_password1)
      const review_required = await db.begin(async (tx) => {
        const ended = await setPassword(tx, owner, newHash, null)
        if (ended === null || !(await consumeReset(tx, link))) throw new ApiError('invalid-reset-link')
        // The user may have lost control of the account, so everything an intruder could have created ends too.
        await cancelEmailChange(tx, owner.id)
        await removeUntrustedMethods(tx, owner.id)
        await removeUnneededRecoveryCodes(tx, owner.id)
        await mailSecurityChange(tx, app.deps, owner.id, 'password reset')
        return startReview(tx, owner.id)
      })
      return { detail: 'Your password has been reset successfully!', review_required }
    },
    { limit: 'password-reset-confirm' },
  )

  mount(app, changePassword, async ({ input: { body }, viewer, request, reply }) => {
    const owner = await findPasswordOwner(db, viewer.id)
    if (owner === null) throw new ApiError('invalid-token')
    throwIfInvalid(repetitionProblems(body), newPasswordProblems(body, { ...owner, publicUrl }))
    await requireRecentSecondFactor(db, viewer)
    const attempt = await registerPasswordCheck(db, request, owner)
    if (!(await verifyPassword(body.old_password, owner.password_hash, attempt)))
      throw wrongOldPasswordError()
    await attempt.forgive()
    const newHash = await hashPassword(body.new_password1, attempt)
    const { generation } = await db.begin(async (tx) => {
      const ended = await setPassword(tx, owner, newHash, viewer.session_id)
      // The password was changed since it was checked.
      if (ended === null) throw wrongOldPasswordError()
      await endUserResets(tx, owner.id)
      // An intruder who knew the old password may have requested the change, to reset the new password later.
      await cancelEmailChange(tx, owner.id)
      await mailSecurityChange(tx, app.deps, owner.id, 'password changed')
      return ended
    })
    setTrustedDeviceCookie(request, reply, { user_id: owner.id, generation })
    return { detail: 'Your password has been changed.' }
  })
}

interface NewPassword {
  new_password1: string
  new_password2: string
}

type Problems = Record<string, string[]>

function repetitionProblems({ new_password1, new_password2 }: NewPassword): Problems {
  return new_password1 === new_password2 ? {} : { new_password2: ['Passwords do not match.'] }
}

function newPasswordProblems(
  { new_password1 }: NewPassword,
  names: Parameters<typeof passwordProblems>[1],
): Problems {
  const problems = passwordProblems(new_password1, names)
  return problems.length === 0 ? {} : { new_password1: problems }
}

/** Combines errors and throws them. @throws InvalidFields if there are any */
function throwIfInvalid(...all: Problems[]): void {
  const problems = Object.assign({}, ...all) as Problems
  if (Object.keys(problems).length > 0) throw new InvalidFields(problems)
}

function wrongOldPasswordError(): InvalidFields {
  return new InvalidFields({
    old_password: ['Incorrect current password. Try again.'],
  })
}
