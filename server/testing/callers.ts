/** Callers of every kind: signed in, with a personal access token, or with an invalid token. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { type TokenScope, tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import { hashOpaqueToken } from '../core/auth/hash-token.ts'
import { signAccessToken, tokenOptions } from '../core/auth/tokens.ts'
import type { TestApp } from './test-app.ts'
import { openSession, signUp, signUpModerator, type TestUser } from './test-users.ts'

/** Callers that request their own content. Token owners are moderators, so that only the scope makes a difference. */
export const ownerKinds = [
  'user',
  'moderator',
  'site owner',
  'demoted moderator',
  'user not confirmed lately',
  'token to read',
  'token to write',
  'token to moderate',
  'token to moderate, of a demoted moderator',
] as const
/** Callers that request another user's content. */
export const otherKinds = ['visitor', 'another user', 'another moderator', 'suspended user'] as const
/** Callers with an invalid token. */
export const rejectedKinds = [
  'banned',
  'banned, by an access token',
  'deleted',
  'ended session',
  'session run out',
  'expired token',
  'forged token',
  'refresh token',
  'access token run out',
  'access token removed',
] as const
export type CallerKind =
  | (typeof ownerKinds)[number]
  | (typeof otherKinds)[number]
  | (typeof rejectedKinds)[number]

export const scopeByKind: Partial<Record<CallerKind, TokenScope>> = {
  'token to read': 'read',
  'token to write': 'write',
  'token to moderate': 'moderate',
  'token to moderate, of a demoted moderator': 'moderate',
}

export interface Caller {
  user: TestUser
  /** Sent as `Authorization: Bearer …`; null: no token is sent. */
  bearer: string | null
}

export type Callers = ReturnType<typeof createCallers>

/** Returns functions that create users directly in the database, and callers of each kind. */
export function createCallers(site: TestApp) {
  const { db } = site
  let usersCount = 0

  async function createUser({ moderator = false } = {}): Promise<TestUser> {
    usersCount += 1
    return moderator ? signUpModerator(site, `caller${usersCount}`) : signUp(site, `caller${usersCount}`)
  }

  async function accessToken({ id }: { id: number }, scopes: readonly TokenScope[]) {
    const token = `${tokenPrefix}${randomBytes(24).toString('base64url')}`
    const [row] = await db<[{ id: number }]>`
      insert into access_tokens (user_id, hash, hint, name, scopes)
      values (${id}, ${hashOpaqueToken(token)}, ${token.slice(0, 8)}, 'a script', ${scopes as string[]})
      returning id`
    return { id: row.id, token }
  }

  /** Returns an access token of the user's session, `age` seconds old and signed with any key. */
  async function sign({ id: user_id, session_id }: TestUser, age = 0, key?: KeyObject): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const terms = tokenOptions(key ?? site.serverKeys['access-token'], now - age)
    return signAccessToken({ user_id, session_id }, terms)
  }

  const allScopes = ['read', 'write', 'moderate'] as const
  const bearers: Record<CallerKind, (user: TestUser) => Promise<string | null> | string | null> = {
    visitor: () => null,
    user: ({ access }) => access,
    moderator: ({ access }) => access,
    'another user': ({ access }) => access,
    'another moderator': ({ access }) => access,
    'site owner': async ({ id, access }) => {
      await db`update users set is_moderator = true, is_owner = true where id = ${id}`
      return access
    },
    'demoted moderator': async ({ id, access }) => {
      await db`update users set is_moderator = false where id = ${id}`
      return access
    },
    'suspended user': async ({ id, access }) => {
      await db`update users set suspended_until = now() + interval '1 day' where id = ${id}`
      return access
    },
    'user not confirmed lately': async ({ session_id, access }) => {
      await db`update sessions set authenticated_at = now() - interval '15 minutes' where id = ${session_id}`
      return access
    },
    'token to read': async (user) => (await accessToken(user, ['read'])).token,
    'token to write': async (user) => (await accessToken(user, ['write'])).token,
    'token to moderate': async (user) => (await accessToken(user, ['moderate'])).token,
    'token to moderate, of a demoted moderator': async (user) => {
      await db`update users set is_moderator = false where id = ${user.id}`
      return (await accessToken(user, ['moderate'])).token
    },
    banned: async ({ id, access }) => {
      await db`update users set banned_at = now() where id = ${id}`
      return access
    },
    'banned, by an access token': async (user) => {
      await db`update users set banned_at = now() where id = ${user.id}`
      return (await accessToken(user, allScopes)).token
    },
    deleted: async ({ id, access }) => {
      await db`delete from users where id = ${id}`
      return access
    },
    'ended session': async ({ session_id, access }) => {
      await db`update sessions set ended_at = now() where id = ${session_id}`
      return access
    },
    'session run out': async ({ session_id, access }) => {
      await db`update sessions set expires_at = now() where id = ${session_id}`
      return access
    },
    'expired token': (user) => sign(user, 900),
    'forged token': (user) => sign(user, 0, createSecretKey(randomBytes(32))),
    'refresh token': ({ refresh }) => refresh,
    'access token run out': async (user) => {
      const { id, token } = await accessToken(user, allScopes)
      await db`update access_tokens set expires_at = now() where id = ${id}`
      return token
    },
    'access token removed': async (user) => {
      const { id, token } = await accessToken(user, allScopes)
      await db`delete from access_tokens where id = ${id}`
      return token
    },
  }

  /** Creates a new user of a kind. Rejected callers are moderators, to prove that no right of theirs remains. */
  async function caller(kind: CallerKind): Promise<Caller> {
    const isUser = ['user', 'another user', 'suspended user', 'user not confirmed lately'].includes(kind)
    const user = await createUser({ moderator: !isUser })
    return { user, bearer: await bearers[kind](user) }
  }

  return { createUser, session: (user: { id: number }) => openSession(db, user), accessToken, sign, caller }
}
