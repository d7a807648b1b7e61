import { logIn, register } from '@reelmark/contract/accounts.ts'
import { CallError } from '@reelmark/contract/call.ts'
import type { TestApp } from './app.ts'

export interface PersonInTest {
  id: number
  username: string
  email: string
  password: string
  access: string
  refresh: string
}

/** Somebody with an account, signed in. */
export async function signUp(site: TestApp, username: string): Promise<PersonInTest> {
  const email = `${username.toLowerCase()}@example.org`
  const password = `${username} likes long walks`
  const { id } = await site.call(register, { body: { username, email, password, password2: password } })
  const pair = await site.call(logIn, { body: { username, password } })
  return { id, email, password, ...pair }
}

/** Somebody who may moderate, signed in. */
export async function signUpModerator(site: TestApp, username: string): Promise<PersonInTest> {
  const person = await signUp(site, username)
  await site.db`update users set is_moderator = true where id = ${person.id}`
  return person
}

/** What a call that must fail answered: `expect(await failure(…)).toEqual({status: 404, body: …})`. */
export async function failure(calling: Promise<unknown>): Promise<{ status: number; body: unknown }> {
  try {
    await calling
  } catch (error) {
    if (error instanceof CallError) return { status: error.status, body: error.body }
    throw error
  }
  throw new Error('the call succeeded')
}
