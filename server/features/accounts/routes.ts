/** Registration, login and the tokens of a session over HTTP. */
import {
  type Credentials,
  logIn,
  logOut,
  type Registration,
  refreshTokens,
  register,
} from '@reelmark/contract/accounts.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { countAttempt } from '../../core/login-throttle.ts'
import { hashPassword, verifyPassword } from '../../core/passwords.ts'
import type { ServerKeys } from '../../core/secrets.ts'
import { deviceOf, type Http, pairOf, signIn } from '../../core/sign-in.ts'
import { nextRefreshSecret, type RefreshToken, readRefreshToken, refreshHash } from '../../core/tokens.ts'
import { readDevice } from '../../core/trusted-device.ts'
import { takingTurns } from '../../core/turns.ts'
import { reportHeldPerson } from '../moderation/cards.ts'
import { currentRules, partOfName, screen } from '../screening/cards.ts'
import { requireSecondFactor } from '../second-factor/cards.ts'
import { requireChallenge, useSolution } from './challenge.ts'
import { createUser, endSession, findLogin, findTaken, rotateSession } from './queries.ts'
import { passwordProblems, usernameTaken } from './rules.ts'

/**
 * Logins that are under way in one process; the others wait before they touch the database. Two hundred at once would
 * else hold all of its connections, and those up who are only looking (bench/accounts.ts).
 */
const loginTurns = { atOnce: 3, lineLength: 200 }

export function registerAccounts(app: FastifyInstance): void {
  const { db, serverKeys } = app.deps

  mount(
    app,
    register,
    async ({ input: { body } }) => {
      const problems = problemsOf(body)
      if (Object.keys(problems).length > 0) {
        throw new InvalidFields({ ...problems, ...takenProblems(await findTaken(db, body)) })
      }
      const solved = await requireChallenge(app.deps, body.altcha)
      const held = screen(await currentRules(db), [partOfName(body.username)])
      const password_hash = await hashPassword(body.password)
      const user = await db.begin(async (tx) => {
        const made = await createUser(tx, { ...body, password_hash })
        // Last: where the name is taken, the solution is good for another.
        if (made !== null && solved !== null) await useSolution(app.deps, tx, solved)
        return made
      })
      if (user === null) throw new InvalidFields(takenProblems(await findTaken(db, body)))
      if (held !== null) await reportHeldPerson(db, user.id, `The username. ${held}`)
      return user
    },
    { limit: 'register' },
  )

  const inTurn = takingTurns(loginTurns)
  mount(app, logIn, async ({ input: { body }, request, reply }) => {
    // Before it is known whose account it is: a device that signed anybody in waits with its like.
    const isTrusted = readDevice(request) !== null
    return inTurn({ isTrusted }, () => logInNow(body, { request, reply }))
  })

  async function logInNow({ username: name, password, remember = true }: Credentials, http: Http) {
    const attempt = await countAttempt(db, http.request, name)
    const login = await findLogin(db, name)
    if (!(await verifyPassword(password, login?.password_hash ?? null, attempt)) || login === null) {
      throw new ApiError('wrong-credentials')
    }
    await attempt.succeeded()
    if (login.is_banned) throw new ApiError('banned', { reason: login.ban_reason })
    await requireSecondFactor(db, login, { remember })
    const signedIn = await signIn(db, http, login, { remember, password_hash: login.password_hash })
    // Banned, or the password changed, since it was read.
    if (signedIn === null) throw new ApiError('wrong-credentials')
    return signedIn
  }

  mount(
    app,
    refreshTokens,
    async ({ input: { body }, request }) => {
      const token = openToken(serverKeys, body.refresh)
      const secret = nextRefreshSecret(serverKeys['refresh-token'], token)
      const session = await rotateSession(db, {
        session_id: token.session_id,
        hash: refreshHash(token.secret),
        next_hash: refreshHash(secret),
        ...deviceOf(request),
      })
      if (session === null) throw new ApiError('bad-token')
      return pairOf(serverKeys, session.user_id, { session_id: token.session_id, secret })
    },
    { limit: 'refresh' },
  )

  mount(
    app,
    logOut,
    async ({ input: { body } }) => {
      const { session_id } = openToken(serverKeys, body.refresh)
      await endSession(db, session_id)
      return {}
    },
    { limit: 'log out' },
  )
}

function problemsOf(body: Registration): Record<string, string[]> {
  const password = passwordProblems(body.password, body)
  return {
    ...(password.length > 0 && { password }),
    ...(body.password !== body.password2 && { password2: ['Passwords do not match.'] }),
  }
}

function takenProblems(taken: { username: boolean; email: boolean }): Record<string, string[]> {
  return {
    ...(taken.username && { username: [usernameTaken] }),
    ...(taken.email && { email: ['A user with that email already exists.'] }),
  }
}

function openToken(keys: ServerKeys, text: string): RefreshToken {
  const token = readRefreshToken(keys['refresh-token'], text)
  if (token === null) throw new ApiError('bad-token')
  return token
}
