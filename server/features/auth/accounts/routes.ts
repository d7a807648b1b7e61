/** Routes for registration and login. */
import { type Credentials, logIn, type Registration, register } from '@reelmark/contract/accounts.ts'
import type { FastifyInstance } from 'fastify'
import { registerAttempt } from '../../../core/auth/login-throttle.ts'
import { hashPassword, verifyPassword } from '../../../core/auth/passwords.ts'
import { type RequestContext, signIn } from '../../../core/auth/sign-in.ts'
import { readTrustedDevice } from '../../../core/auth/trusted-device.ts'
import { createLimiter } from '../../../core/http/concurrency-limit.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { noteSecurityContext } from '../../../core/security-log.ts'
import { currentRules, reportHeldUser, screenContent, usernamePart } from '../../moderation/public-api.ts'
import { requireLoginChallenge } from '../challenge/login-challenge.ts'
import { consumeSolution } from '../challenge/proof-of-work.ts'
import { requireChallenge } from '../challenge/registration-challenge.ts'
import { confirmEmailJob } from '../email-confirmation/jobs.ts'
import { passwordProblems } from '../passwords/rules.ts'
import { upgradePasswordHash } from '../passwords/upgrade-hash.ts'
import { requireSecondFactor } from '../second-factor/second-factor-login.ts'
import { createUser, findLogin, isUsernameTaken } from './queries.ts'
import { canChooseUsername, usernameUnavailableText } from './reserved-usernames.ts'
import { usernameTakenText } from './rules.ts'

/**
 * Maximum number of concurrent logins per process; further ones queue before using the database. Two hundred at once
 * would occupy all its connections and block every other request (bench/login-load.ts).
 */
const loginLimit = { concurrency: 3, maxQueued: 200 }

export function registerAccounts(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mount(
    app,
    register,
    async ({ input: { body }, request }) => {
      const problems = {
        ...(!(await canChooseUsername(db, body.username)) && { username: [usernameUnavailableText] }),
        ...registrationErrors(body, app.deps.settings.publicUrl),
      }
      if (Object.keys(problems).length > 0) {
        throw new InvalidFields({
          ...problems,
          ...((await isUsernameTaken(db, body.username)) && usernameTaken),
        })
      }
      const solved = await requireChallenge(app.deps, body.altcha)
      const holdReason = screenContent(await currentRules(db), [usernamePart(body.username)])
      const password_hash = await hashPassword(body.password)
      const user = await db.begin(async (tx) => {
        const created = await createUser(tx, { ...body, password_hash })
        if (created === null) return null
        // Only the job checks whether an account has the address, so that neither response nor time reveals it.
        await jobs.send(tx, confirmEmailJob, { user_id: created.id, email: created.email })
        // Last: if the username is taken, the solution can be used again with another one.
        if (solved !== null) await consumeSolution(app.deps, tx, solved)
        return created
      })
      if (user === null) throw new InvalidFields(usernameTaken)
      noteSecurityContext(request, { actor_id: user.id })
      if (holdReason !== null) await reportHeldUser(db, user.id, `The username. ${holdReason}`)
      return user
    },
    { limit: 'register' },
  )

  const limitLogins = createLimiter(loginLimit)
  mount(app, logIn, async ({ input: { body }, request, reply }) => {
    // The account is not known yet, so a trusted device of any account counts as trusted.
    const isTrusted = readTrustedDevice(request) !== null
    return limitLogins({ isTrusted }, () => performLogin(body, { request, reply }))
  })

  async function performLogin(
    { username: name, password, remember = true, altcha }: Credentials,
    context: RequestContext,
  ) {
    const attempt = await registerAttempt(db, context.request, name)
    const login = await findLogin(db, name)
    noteSecurityContext(context.request, { target_id: login?.id })
    if (attempt.exceeded !== null)
      await requireLoginChallenge(app.deps, attempt.exceeded, login?.id ?? null, altcha)
    if (!(await verifyPassword(password, login?.password_hash ?? null, attempt)) || login === null) {
      throw new ApiError('wrong-credentials')
    }
    await attempt.forgive()
    if (login.is_banned) throw new ApiError('banned', { reason: login.ban_reason })
    const password_hash = await upgradePasswordHash(db, login, password, attempt)
    await requireSecondFactor(db, { ...login, password_hash }, { remember })
    const signedIn = await signIn(db, context, login, { remember, password_hash })
    // The account was banned or its password changed since it was read.
    if (signedIn === null) throw new ApiError('wrong-credentials')
    return signedIn
  }
}

function registrationErrors(body: Registration, publicUrl: string): Record<string, string[]> {
  const password = passwordProblems(body.password, { ...body, publicUrl })
  return {
    ...(password.length > 0 && { password }),
    ...(body.password !== body.password2 && { password2: ['Passwords do not match.'] }),
  }
}

/** The field error of a taken username. A taken e-mail address is never reported; its owner gets a mail. */
const usernameTaken = { username: [usernameTakenText] }
