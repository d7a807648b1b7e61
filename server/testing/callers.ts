/** Everybody who may call: signed in, with a token for scripts, or with a token that is none any more. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { type TokenScope, tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import { hashOpaqueToken } from '../core/auth/hash-token.ts'
import { signAccessToken, tokenOptions } from '../core/auth/tokens.ts'
import type { TestApp } from './test-app.ts'
import { openSession, signUp, signUpModerator, type TestUser } from './test-users.ts'

/** They call for things of their own. The access tokens are moderators', so that the scope alone makes the difference. */
export const ownerKinds = [
  'user',
  'moderator',
  'demoted moderator',
  'user not confirmed lately',
  'token to read',
  'token to write',
  'token to moderate',
  'token to moderate, of a demoted moderator',
] as const
/** They call for what is somebody else's. */
export const otherKinds = ['visitor', 'another user', 'another moderator', 'suspended user'] as const
/** They come with a token that is good for nothing. */
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
  person: TestUser
  /** Sent as `Authorization: Bearer …`; null: none is. */
  bearer: string | null
}

export type Callers = ReturnType<typeof createCallers>

/** Makes people without the forms, and callers of each kind. */
export function createCallers(site: TestApp) {
  const { db } = site
  let people = 0

  async function person({ moderator = false } = {}): Promise<TestUser> {
    people += 1
    return moderator ? signUpModerator(site, `person${people}`) : signUp(site, `person${people}`)
  }

  async function accessToken({ id }: { id: number }, scopes: readonly TokenScope[]) {
    const token = `${tokenPrefix}${randomBytes(24).toString('base64url')}`
    const [row] = await db<[{ id: number }]>`
      insert into access_tokens (user_id, hash, hint, name, scopes)
      values (${id}, ${hashOpaqueToken(token)}, ${token.slice(0, 8)}, 'a script', ${scopes as string[]})
      returning id`
    return { id: row.id, token }
  }

  /** An access token of a session: (who: { id: number }) => openSession(db, who), of any time, signed by any key. */
  async function sign({ id: user_id, session_id }: TestUser, age = 0, key?: KeyObject): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const terms = tokenOptions(key ?? site.serverKeys['access-token'], now - age)
    return signAccessToken({ user_id, session_id }, terms)
  }

  const allScopes = ['read', 'write', 'moderate'] as const
  const bearers: Record<CallerKind, (who: TestUser) => Promise<string | null> | string | null> = {
    visitor: () => null,
    user: ({ access }) => access,
    moderator: ({ access }) => access,
    'another user': ({ access }) => access,
    'another moderator': ({ access }) => access,
    'demoted moderator': async ({ id, access }) => {
      await db`update users set is_moderator = false where id = ${id}`
      return access
    },
    'suspended user': async ({ id, access }) => {
      await db`update users set suspended_until = now() + interval '1 day' where id = ${id}`
      return access
    },
    'user not confirmed lately': async ({ session_id, access }) => {
      await db`update sessions set confirmed_at = now() - interval '15 minutes' where id = ${session_id}`
      return access
    },
    'token to read': async (who) => (await accessToken(who, ['read'])).token,
    'token to write': async (who) => (await accessToken(who, ['write'])).token,
    'token to moderate': async (who) => (await accessToken(who, ['moderate'])).token,
    'token to moderate, of a demoted moderator': async (who) => {
      await db`update users set is_moderator = false where id = ${who.id}`
      return (await accessToken(who, ['moderate'])).token
    },
    banned: async ({ id, access }) => {
      await db`update users set banned_at = now() where id = ${id}`
      return access
    },
    'banned, by an access token': async (who) => {
      await db`update users set banned_at = now() where id = ${who.id}`
      return (await accessToken(who, allScopes)).token
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
    'expired token': (who) => sign(who, 900),
    'forged token': (who) => sign(who, 0, createSecretKey(randomBytes(32))),
    'refresh token': ({ refresh }) => refresh,
    'access token run out': async (who) => {
      const { id, token } = await accessToken(who, allScopes)
      await db`update access_tokens set expires_at = now() where id = ${id}`
      return token
    },
    'access token removed': async (who) => {
      const { id, token } = await accessToken(who, allScopes)
      await db`delete from access_tokens where id = ${id}`
      return token
    },
  }

  /** Somebody new of a kind. Whoever is refused everywhere is a moderator: no right of theirs may be left. */
  async function caller(kind: CallerKind): Promise<Caller> {
    const isUser = ['user', 'another user', 'suspended user', 'user not confirmed lately'].includes(kind)
    const who = await person({ moderator: !isUser })
    return { person: who, bearer: await bearers[kind](who) }
  }

  return { person, session: (who: { id: number }) => openSession(db, who), accessToken, sign, caller }
}
