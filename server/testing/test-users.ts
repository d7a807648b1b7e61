import { CallError } from '@reelmark/contract/protocol/call.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { hashPassword } from '../core/auth/passwords.ts'
import { issueTokenPair } from '../core/auth/sign-in.ts'
import { hashRefreshSecret, newRefreshSecret } from '../core/auth/tokens.ts'
import type { Db } from '../core/database/database.ts'
import { createUser } from '../features/auth/accounts/queries.ts'
import type { TestApp } from './test-app.ts'

/** Password of every test user. */
export const testPassword = 'a long walk by the river'
/** Computed once per file, because hashing takes longer than most tests. */
let testPasswordHash: Promise<string> | undefined

export interface TestUser {
  id: number
  username: string
  email: string
  password: string
  access: string
  refresh: string
  session_id: number
}

/** Creates a user with a confirmed e-mail address and an open session, directly in the database. */
export async function signUp(
  { db, serverKeys }: Pick<TestApp, 'db' | 'serverKeys'>,
  username: string,
): Promise<TestUser> {
  testPasswordHash ??= hashPassword(testPassword)
  const email = `${username.toLowerCase()}@example.org`
  const user = await createUser(db, {
    username,
    email,
    password_hash: await testPasswordHash,
    is_email_confirmed: true,
  })
  if (user === null) throw new Error(`the username ${username} already exists`)
  const secret = newRefreshSecret()
  const session_id = await openSession(db, user, secret)
  return {
    ...user,
    session_id,
    password: testPassword,
    ...(await issueTokenPair(serverKeys, user.id, { session_id, secret })),
  }
}

/** Opens a session of a user and returns its id. */
export async function openSession(
  db: Db,
  { id }: { id: number },
  secret = newRefreshSecret(),
): Promise<number> {
  const [row] = await db<[{ id: number }]>`
    insert into sessions (user_id, refresh_hash, expires_at)
    values (${id}, ${hashRefreshSecret(secret)}, now() + interval '7 days') returning id`
  return row.id
}

/** Opens a session of a user whom a test inserted into the database, for example without a password. */
export async function signInAs(
  { db, serverKeys }: Pick<TestApp, 'db' | 'serverKeys'>,
  username: string,
): Promise<Pick<TestUser, 'id' | 'username' | 'access'>> {
  const [user] = await db<[{ id: number }]>`select id from users where username = ${username}`
  const secret = newRefreshSecret()
  const session_id = await openSession(db, user, secret)
  const { access } = await issueTokenPair(serverKeys, user.id, { session_id, secret })
  return { id: user.id, username, access }
}

/** Creates a signed-in moderator directly in the database. */
export async function signUpModerator(site: TestApp, username: string): Promise<TestUser> {
  const user = await signUp(site, username)
  await site.db`update users set is_moderator = true where id = ${user.id}`
  return user
}

/** Gives users the standing whose reports hide content at once: accounts older than a week with a confirmed address. */
export async function grantStanding({ db }: Pick<TestApp, 'db'>, ...users: TestUser[]): Promise<void> {
  await db`
    update users set created_at = now() - interval '8 days', email_confirmed_at = now()
     where id = any (${users.map(({ id }) => id)}::bigint[])`
}

/** Creates a signed-in owner directly in the database. */
export async function signUpOwner(site: TestApp, username: string): Promise<TestUser> {
  const user = await signUp(site, username)
  await site.db`update users set is_moderator = true, is_owner = true where id = ${user.id}`
  return user
}

/** Returns the error response of a call that must fail: `expect(await failedReply(…)).toEqual({ status: 404, … })`. */
export async function failedReply(calling: Promise<unknown>): Promise<{ status: number; body: unknown }> {
  try {
    await calling
  } catch (error) {
    if (error instanceof CallError) return { status: error.status, body: error.body }
    throw error
  }
  throw new Error('the call succeeded')
}

/** Returns the response of a call that fails with an error of the table of errors, without further fields. */
export function errorReply(name: keyof typeof errors): { status: number; body: unknown } {
  const [status, detail] = errors[name]
  return { status, body: { detail, code: name } }
}
