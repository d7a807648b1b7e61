/** Registration, login and the tokens of a session over HTTP. */
import { isIP } from 'node:net'
import { logIn, logOut, type Registration, refreshTokens, register } from '@reelmark/contract/accounts.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from '../../core/database.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { hashPassword, verifyPassword } from '../../core/passwords.ts'
import { secretKey } from '../../core/secrets.ts'
import {
  newRefreshSecret,
  nextRefreshSecret,
  ourTerms,
  type RefreshToken,
  readRefreshToken,
  refreshHash,
  signAccessToken,
  writeRefreshToken,
} from '../../core/tokens.ts'
import { countAttempt } from './login-throttle.ts'
import {
  createUser,
  type Device,
  endSession,
  findLogin,
  findTaken,
  rotateSession,
  startSession,
} from './queries.ts'
import { passwordProblems } from './rules.ts'

export function registerAccounts(app: FastifyInstance): void {
  const { db, settings } = app.deps

  mount(
    app,
    register,
    async ({ input: { body } }) => {
      const problems = problemsOf(body)
      if (Object.keys(problems).length > 0) {
        throw new InvalidFields({ ...problems, ...takenProblems(await findTaken(db, body)) })
      }
      const password_hash = await hashPassword(body.password)
      const user = await createUser(db, { ...body, password_hash })
      if (user === null) throw new InvalidFields(takenProblems(await findTaken(db, body)))
      return user
    },
    { limit: { name: 'register', tokens: 30, seconds: 3600 } },
  )

  mount(app, logIn, async ({ input: { body }, request }) => {
    const { username: name, password, remember = true } = body
    const succeeded = await countAttempt(db, { name, address: request.ip, scale: settings.rateLimitScale })
    const login = await findLogin(db, name)
    if (!(await verifyPassword(password, login?.password_hash ?? null)) || login === null) {
      throw new ApiError('wrong-credentials')
    }
    await succeeded()
    if (login.is_banned) throw new ApiError('banned')
    const secret = newRefreshSecret()
    const session = await startSession(db, login, {
      refresh_hash: refreshHash(secret),
      remember,
      ...deviceOf(request),
    })
    // Banned, or the password changed, since it was read.
    if (session === null) throw new ApiError('wrong-credentials')
    return { ...(await pairOf(db, login.id, { session_id: session.id, secret })), username: login.username }
  })

  mount(
    app,
    refreshTokens,
    async ({ input: { body }, request }) => {
      const token = await openToken(db, body.refresh)
      const secret = nextRefreshSecret(await secretKey(db, 'refresh-token'), token)
      const session = await rotateSession(db, {
        session_id: token.session_id,
        hash: refreshHash(token.secret),
        next_hash: refreshHash(secret),
        ...deviceOf(request),
      })
      if (session === null) throw new ApiError('bad-token')
      return pairOf(db, session.user_id, { session_id: token.session_id, secret })
    },
    { limit: { name: 'refresh', tokens: 300, seconds: 60 } },
  )

  mount(
    app,
    logOut,
    async ({ input: { body } }) => {
      const { session_id } = await openToken(db, body.refresh)
      await endSession(db, session_id)
      return {}
    },
    { limit: { name: 'log out', tokens: 300, seconds: 60 } },
  )
}

function problemsOf(body: Registration): Record<string, string[]> {
  const password = passwordProblems(body.password, body)
  return {
    ...(password.length > 0 && { password }),
    ...(body.password !== body.password2 && { password2: ['Passwords do not match.'] }),
  }
}

/** Registration tells that a name is taken, as it does everywhere; a password reset tells nothing. */
function takenProblems(taken: { username: boolean; email: boolean }): Record<string, string[]> {
  return {
    ...(taken.username && { username: ['A user with that username already exists.'] }),
    ...(taken.email && { email: ['A user with that email already exists.'] }),
  }
}

function deviceOf(request: FastifyRequest): Device {
  // IPv4 in IPv6 clothes, as a socket for both gives it, is IPv4.
  const address = request.ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return {
    // Header bytes beyond ASCII come as Latin-1; none of them is NUL.
    user_agent: (request.headers['user-agent'] ?? '').slice(0, 500),
    // A proxy may have made something up.
    address: isIP(address) === 0 ? null : address,
  }
}

async function openToken(db: Sql, text: string): Promise<RefreshToken> {
  const token = readRefreshToken(await secretKey(db, 'refresh-token'), text)
  if (token === null) throw new ApiError('bad-token')
  return token
}

async function pairOf(db: Sql, userId: number, token: RefreshToken) {
  const terms = ourTerms(await secretKey(db, 'access-token'))
  return {
    access: await signAccessToken({ user_id: userId, session_id: token.session_id }, terms),
    refresh: writeRefreshToken(await secretKey(db, 'refresh-token'), token),
  }
}
