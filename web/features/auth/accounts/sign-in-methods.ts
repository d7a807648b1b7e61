/** The ways to sign in beside a password (session.ts has that one): how each asks the server. */

import {
  getSignInMethods,
  logInWithOidc,
  registerWithOidc,
  type UsernameRequired,
} from '@reelmark/contract/identities.ts'
import { beginPasskeyLogin, logInWithPasskey } from '@reelmark/contract/passkeys.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import {
  logInWithSecondFactor,
  type SecondFactorRequired,
  secondFactors,
} from '@reelmark/contract/second-factor.ts'
import { queryOptions } from '@tanstack/react-query'
import { fetchTransport } from '../../../shared/api/fetch-transport.ts'
import { queryApi } from '../../../shared/api/query-api.ts'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'
import { completeSignIn } from '../../../shared/session/session.ts'

/** What this site offers; it changes only when the operator restarts it. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ client }) => queryApi(client)(getSignInMethods, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

/** A login whose password was right, and that waits for its second step. */
export type SecondStep = Pick<SecondFactorRequired, 'ticket' | 'methods'>

/** Returns the second step that a failed login asks for, or null for other errors. */
export function readSecondStep(error: unknown): SecondStep | null {
  if (!isApiError(error, 'second-factor-required')) return null
  const { ticket, methods } = errorBody(error)
  if (typeof ticket !== 'string' || !Array.isArray(methods)) return null
  return { ticket, methods: methods.filter((item) => secondFactors.includes(item)) }
}

/** `remember` as it was said with the password: the server has kept it with the ticket. */
export function signInWithCode(ticket: string, code: string, remember: boolean): Promise<void> {
  return completeSignIn(
    call(fetchTransport(), logInWithSecondFactor, { body: { ticket, verification_code: code } }),
    remember,
  )
}

/** What a passkey is asked to sign. @param ticket of a login, to do its second step. */
export function beginPasskeySignIn(ticket: string | undefined, signal?: AbortSignal) {
  const body = ticket === undefined ? {} : { ticket }
  return call(fetchTransport(signal), beginPasskeyLogin, { body })
}

export function signInWithPasskey(
  answer: Pick<Input<typeof logInWithPasskey>['body'], 'ticket' | 'credential'>,
  remember: boolean,
): Promise<void> {
  return completeSignIn(call(fetchTransport(), logInWithPasskey, { body: { ...answer, remember } }), remember)
}

/** All of the query that the other site sent the browser back with. */
export type OidcReturn = Omit<Input<typeof logInWithOidc>['body'], 'remember'>

export function signInWithOidc(returned: OidcReturn, remember: boolean): Promise<void> {
  return completeSignIn(call(fetchTransport(), logInWithOidc, { body: { ...returned, remember } }), remember)
}

/** Returns what a new user needs to choose a username, or null for other errors. */
export function readUsernameRequest(error: unknown): UsernameRequired | null {
  return isApiError(error, 'username-required') ? (errorBody(error) as UsernameRequired) : null
}

export function signUpWithOidc(ticket: string, username: string, remember: boolean): Promise<void> {
  return completeSignIn(call(fetchTransport(), registerWithOidc, { body: { ticket, username } }), remember)
}
