import { CallError } from '@reelmark/contract/protocol/call.ts'
import { hashPassword } from '../core/auth/passwords.ts'
import { issueTokenPair } from '../core/auth/sign-in.ts'
import { hashRefreshSecret, newRefreshSecret } from '../core/auth/tokens.ts'
import type { Db } from '../core/database/database.ts'
import { createUser } from '../features/auth/accounts/queries.ts'
import type { TestApp } from './test-app.ts'

/** Everybody's in tests. */
export const testPassword = 'a long walk by the river'
/** Once a file: a hash takes longer than most of what is tested. */
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

/** Somebody with an account, signed in, without the forms. */
export async function signUp(
  { db, serverKeys }: Pick<TestApp, 'db' | 'serverKeys'>,
  username: string,
): Promise<TestUser> {
  testPasswordHash ??= hashPassword(testPassword)
  const email = `${username.toLowerCase()}@example.org`
  const user = await createUser(db, { username, email, password_hash: await testPasswordHash })
  if (user === null) throw new Error(`${username} is there already`)
  const secret = newRefreshSecret()
  const session_id = await openSession(db, user, secret)
  return {
    ...user,
    session_id,
    password: testPassword,
    ...(await issueTokenPair(serverKeys, user.id, { session_id, secret })),
  }
}

/** A session of somebody's; its id. */
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

/** Somebody who may moderate, signed in. */
export async function signUpModerator(site: TestApp, username: string): Promise<TestUser> {
  const person = await signUp(site, username)
  await site.db`update users set is_moderator = true where id = ${person.id}`
  return person
}

/** What a call that must fail answered: `expect(await failure(…)).toEqual({status: 404, body: …})`. */
export async function failedReply(calling: Promise<unknown>): Promise<{ status: number; body: unknown }> {
  try {
    await calling
  } catch (error) {
    if (error instanceof CallError) return { status: error.status, body: error.body }
    throw error
  }
  throw new Error('the call succeeded')
}
