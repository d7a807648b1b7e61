/** The ways to sign in beside a password (session.ts has that one): how each asks the server. */
import { call, isCallError } from '@reelmark/contract/call.ts'
import type { Input } from '@reelmark/contract/endpoint.ts'
import {
  getSignInWays,
  logInByOidc,
  registerByOidc,
  type UsernameNeeded,
} from '@reelmark/contract/identities.ts'
import { beginPasskeyLogin, logInByPasskey } from '@reelmark/contract/passkeys.ts'
import {
  logInBySecondFactor,
  type SecondFactorNeeded,
  secondFactors,
} from '@reelmark/contract/second-factor.ts'
import { queryOptions } from '@tanstack/react-query'
import { apiOf } from '../../api-of.ts'
import { fetchTransport } from '../../fetch-transport.ts'
import { signInBy } from '../../session.ts'
import { bodyOf } from './told.ts'

/** What this site offers; it changes only when the operator restarts it. */
export const signInWaysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ client }) => apiOf(client)(getSignInWays, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

/** A login whose password was right, and that waits for its second step. */
export type SecondStep = Pick<SecondFactorNeeded, 'ticket' | 'methods'>

/** The second step that a failed login asks for; null where it failed for another reason. */
export function secondStepOf(error: unknown): SecondStep | null {
  const { ticket, methods } = bodyOf(error)
  if (!isCallError(error) || error.status !== 403) return null
  if (typeof ticket !== 'string' || !Array.isArray(methods)) return null
  return { ticket, methods: methods.filter((each) => secondFactors.includes(each)) }
}

/** `remember` as it was said with the password: the server has kept it with the ticket. */
export function signInByCode(ticket: string, code: string, remember: boolean): Promise<void> {
  return signInBy(call(fetchTransport(), logInBySecondFactor, { body: { ticket, code } }), remember)
}

/** What a passkey is asked to sign. @param ticket of a login, to do its second step. */
export function beginPasskey(ticket: string | undefined, signal?: AbortSignal) {
  const body = ticket === undefined ? {} : { ticket }
  return call(fetchTransport(signal), beginPasskeyLogin, { body })
}

export function signInByPasskey(
  answer: Pick<Input<typeof logInByPasskey>['body'], 'ticket' | 'credential'>,
  remember: boolean,
): Promise<void> {
  return signInBy(call(fetchTransport(), logInByPasskey, { body: { ...answer, remember } }), remember)
}

/** All of the query that the other site sent the browser back with. */
export type Returned = Omit<Input<typeof logInByOidc>['body'], 'remember'>

export function signInByOidc(returned: Returned, remember: boolean): Promise<void> {
  return signInBy(call(fetchTransport(), logInByOidc, { body: { ...returned, remember } }), remember)
}

/** What a sign-in says of somebody who has no account here; null where it failed for another reason. */
export function usernameNeeded(error: unknown): UsernameNeeded | null {
  const body = bodyOf(error)
  const isNeeded = typeof body.ticket === 'string' && typeof body.suggested_username === 'string'
  return isNeeded && isCallError(error) && error.status === 409 ? (error.body as UsernameNeeded) : null
}

export function signUpByOidc(ticket: string, username: string, remember: boolean): Promise<void> {
  return signInBy(call(fetchTransport(), registerByOidc, { body: { ticket, username } }), remember)
}
