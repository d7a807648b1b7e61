/**
 * Reauthentication: the server refuses sensitive calls with `reauthentication-required` if the user has not proved
 * their identity recently (contract/account-settings.ts, ReauthenticationRequired). Such calls go through `withReauth`;
 * the page renders a `ReauthDialog` once, which asks, and the call is repeated.
 */
import type { ReauthenticationRequired } from '@reelmark/contract/account-settings.ts'
import { errorBody, isApiError } from '../errors/api-error.ts'

interface ReauthOptions {
  /** If empty, only a new login remains. */
  methods: ReauthenticationRequired['methods']
  /** The codes of which one is needed with the password; empty: none. */
  secondFactors: ReauthenticationRequired['second_factors']
}

export interface ReauthRequest extends ReauthOptions {
  answer: (confirmed: boolean) => void
}

let pendingRequest: ReauthRequest | null = null
const listeners = new Set<() => void>()

function setPendingRequest(next: ReauthRequest | null): void {
  pendingRequest = next
  for (const listener of listeners) listener()
}

/** Calls `listener` whenever a request appears or ends. Without listeners, nothing is asked. */
export function subscribeToReauth(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) pendingRequest?.answer(false)
  }
}

export function getReauthRequest(): ReauthRequest | null {
  return pendingRequest
}

/** Returns the ways to reauthenticate that an error response offers; null for other errors. */
function readReauthOptions(error: unknown): ReauthOptions | null {
  if (!isApiError(error, 'reauthentication-required')) return null
  const { methods, second_factors } = errorBody(error)
  if (!Array.isArray(methods)) return null
  return {
    methods: methods.filter((method) => method === 'password' || method === 'passkey'),
    secondFactors: Array.isArray(second_factors)
      ? second_factors.filter((factor) => factor === 'authenticator' || factor === 'recovery_code')
      : [],
  }
}

/**
 * Makes a call. If it requires reauthentication, asks the user and repeats it.
 * @returns null if the user cancelled; nothing has happened then.
 * @throws every other error of the call.
 */
export async function withReauth<T>(call: () => Promise<T>): Promise<{ reply: T } | null> {
  for (;;) {
    try {
      return { reply: await call() }
    } catch (error) {
      const options = readReauthOptions(error)
      if (options === null || listeners.size === 0) throw error
      if (!(await requestReauth(options))) return null
    }
  }
}

function requestReauth(options: ReauthOptions): Promise<boolean> {
  pendingRequest?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      if (pendingRequest?.answer === answer) setPendingRequest(null)
      resolve(yes)
    }
    setPendingRequest({ ...options, answer })
  })
}
