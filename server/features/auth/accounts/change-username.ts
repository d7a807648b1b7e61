/** Route for changing the username (docs/decisions/0098-changing-usernames.md). */
import { changeUsername } from '@reelmark/contract/account-settings.ts'
import type { FastifyInstance } from 'fastify'
import type { SessionViewer } from '../../../core/auth/session.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { syncOwnerNameJob } from '../../../shared/profile-visibility.ts'
import { currentRules, reportHeldUser, screenContent, usernamePart } from '../../moderation/public-api.ts'
import { wrongPasswordError } from '../passwords/require-password.ts'
import { requireProof } from '../passwords/require-proof.ts'
import { passwordProblems } from '../passwords/rules.ts'
import { isUsernameTakenError } from './queries.ts'
import { canChooseUsername, usernameUnavailableText } from './reserved-usernames.ts'
import { lockUser, mailSecurityChange } from './sign-in-methods.ts'
import { readUsernameState, type UsernameState, updateUsername } from './username-queries.ts'

/** PostgreSQL's code if two users take each other's names at the same moment. */
const deadlockDetected = '40P01'

export function registerUsernameChange(app: FastifyInstance): void {
  const { db, jobs, settings } = app.deps

  mount(
    app,
    changeUsername,
    async ({ input: { body }, viewer, request }) => {
      const { username } = body
      const passwordHash = await requireProof(db, request, viewer, body.password)
      const isSameName = username.toLowerCase() === viewer.username.toLowerCase()
      if (!isSameName && !(await canChooseUsername(db, username, viewer.id))) throw usernameUnavailable()
      if (body.password !== undefined) requireUnlikePassword(body.password, viewer.username, username)
      const holdReason = screenContent(await currentRules(db), [usernamePart(username)])
      const state = await changeInTransaction(viewer, username, passwordHash)
      if (holdReason !== null) await reportHeldUser(db, viewer.id, `The username. ${holdReason}`)
      return { username, username_changeable_at: state.username_changeable_at }
    },
    { limit: 'username-change' },
  )

  /** Requires that a new name does not make the password one that registration refuses. @throws InvalidFields */
  function requireUnlikePassword(password: string, before: string, username: string): void {
    const isRefusedWith = (name: string) =>
      passwordProblems(password, { username: name, email: '', publicUrl: settings.publicUrl }).length > 0
    if (isRefusedWith(username) && !isRefusedWith(before)) {
      throw new InvalidFields({
        username: ['Your password is too similar to this username. Change your password first.'],
      })
    }
  }

  /** Changes the username and returns the state afterwards. Does nothing if the user has the name already. */
  function changeInTransaction(
    viewer: SessionViewer,
    username: string,
    passwordHash: string | null,
  ): Promise<UsernameState> {
    const readState = async (tx: Parameters<typeof readUsernameState>[0]) => {
      const state = await readUsernameState(tx, viewer.id, passwordHash)
      if (state === null) throw new ApiError('invalid-token')
      return state
    }
    const change = db.begin(async (tx) => {
      await lockUser(tx, viewer)
      const before = await readState(tx)
      if (!before.has_password) throw wrongPasswordError()
      if (before.username === username) return before
      const isNewName = before.username.toLowerCase() !== username.toLowerCase()
      if (isNewName && before.username_changeable_at !== null)
        throw changedRecently(before.username_changeable_at)
      await updateUsername(tx, viewer.id, username)
      if (isNewName) {
        await jobs.send(tx, syncOwnerNameJob, { user_id: viewer.id })
        await mailSecurityChange(tx, app.deps, viewer.id, 'username changed')
      }
      return readState(tx)
    })
    return change.catch((error: unknown) => {
      const isTaken = isUsernameTakenError(error) || (error as { code?: string }).code === deadlockDetected
      throw isTaken ? usernameUnavailable() : error
    })
  }
}

/** The same for reserved names, usernames and former usernames. */
function usernameUnavailable(): InvalidFields {
  return new InvalidFields({ username: [usernameUnavailableText] })
}

function changedRecently(changeableAt: string): InvalidFields {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return new InvalidFields({
    username: [`You can change your username again on ${date.format(new Date(changeableAt))}.`],
  })
}
