/** Sends the requests of each sign-in method except the password (see web/shared/session/sign-in.ts). */

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
import { completeSignIn } from '../../../shared/session/sign-in.ts'

/** The sign-in methods of this site. They change only when the operator restarts it. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ client }) => queryApi(client)(getSignInMethods, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

/** A login whose password was accepted and that waits for the second factor. */
export type SecondStep = Pick<SecondFactorRequired, 'ticket' | 'methods'>

/** Returns the second step that a failed login asks for, or null for other errors. */
export function readSecondStep(error: unknown): SecondStep | null {
  if (!isApiError(error, 'second-factor-required')) return null
  const { ticket, methods } = errorBody(error)
  if (typeof ticket !== 'string' || !Array.isArray(methods)) return null
  return { ticket, methods: methods.filter((item) => secondFactors.includes(item)) }
}

/** Completes a login with a code. `remember` must be the value sent with the password. */
export function signInWithCode(ticket: string, code: string, remember: boolean): Promise<void> {
  return completeSignIn(
    call(fetchTransport(), logInWithSecondFactor, { body: { ticket, verification_code: code } }),
    remember,
  )
}

/**
 * Requests the challenge that a passkey signs.
 * @param ticket of a login whose second factor the passkey is.
 */
export function beginPasskeySignIn(ticket: string | undefined, signal?: AbortSignal) {
  const body = ticket === undefined ? {} : { ticket }
  return call(fetchTransport(signal), beginPasskeyLogin, { body })
}

export function signInWithPasskey(
  passkey: Pick<Input<typeof logInWithPasskey>['body'], 'ticket' | 'credential'>,
  remember: boolean,
): Promise<void> {
  return completeSignIn(
    call(fetchTransport(), logInWithPasskey, { body: { ...passkey, remember } }),
    remember,
  )
}

/** The query parameters that the identity provider returned. */
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
