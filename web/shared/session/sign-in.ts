/** Starts a session in the browser. Separate from session.ts, because only the pages for signing in load it. */
import { type Credentials, logIn } from '@reelmark/contract/accounts.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { fetchTransport } from '../api/fetch-transport.ts'
import { fetchMissingUser } from './session.ts'
import { clearSession, storeLogin } from './session-store.ts'
import { makeIntentDue } from './sign-in-intent.ts'

/**
 * Stores the session of a login response, for a week, or for this tab if `remember` is false. Every sign-in method ends
 * here. The user is signed in even if their profile cannot be fetched.
 * @throws CallError if the login failed; nothing is stored then.
 */
export async function completeSignIn(login: Promise<Reply<typeof logIn>>, remember: boolean): Promise<void> {
  try {
    const reply = await login
    storeLogin(reply, reply.username, remember)
    makeIntentDue()
  } catch (error) {
    clearSession()
    throw error
  }
  await fetchMissingUser()
}

/** Logs in with a password; see `completeSignIn`. */
export function signInWithPassword(
  username: string,
  password: string,
  remember: boolean,
  solved: Pick<Credentials, 'altcha'> = {},
): Promise<void> {
  const body = { username: username.trim(), password, remember, ...solved }
  return completeSignIn(call(fetchTransport(), logIn, { body }), remember)
}
