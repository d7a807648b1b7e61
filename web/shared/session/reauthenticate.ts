/**
 * 'Confirm that it is you': some calls are answered so when one has not shown for a while who one is
 * (contract/account-settings.ts, ConfirmNeeded). Whatever makes such a call wraps it in `confirmed`; the page shows a
 * `ConfirmDialog` once, which asks, and then the call is made again.
 */
import type { ReauthenticationRequired } from '@reelmark/contract/account-settings.ts'
import { errorBody, isApiError } from '../errors/api-error.ts'

export type ReauthMethods = ReauthenticationRequired['confirm']

export interface ReauthRequest {
  /** Empty: only signing in again is left. */
  methods: ReauthMethods
  answer: (confirmed: boolean) => void
}

let pendingRequest: ReauthRequest | null = null
const listeners = new Set<() => void>()

function setPendingRequest(next: ReauthRequest | null): void {
  pendingRequest = next
  for (const listener of listeners) listener()
}

/** Calls back when a question is there, or not any more. While nobody listens nothing is asked. */
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

/** Returns the ways to re-authenticate that a reply offers, or null for other errors. */
export function reauthMethods(error: unknown): ReauthMethods | null {
  if (!isApiError(error, 'reauthentication-required')) return null
  const { confirm } = errorBody(error)
  if (!Array.isArray(confirm)) return null
  return confirm.filter((method) => method === 'password' || method === 'passkey')
}

/**
 * Makes a call; where it must be confirmed first, asks, and makes it again.
 * @returns null where the person did not want to: then nothing has happened.
 * @throws whatever else the call throws.
 */
export async function withReauth<T>(call: () => Promise<T>): Promise<{ reply: T } | null> {
  for (;;) {
    try {
      return { reply: await call() }
    } catch (error) {
      const methods = reauthMethods(error)
      if (methods === null || listeners.size === 0) throw error
      if (!(await requestReauth(methods))) return null
    }
  }
}

function requestReauth(methods: ReauthMethods): Promise<boolean> {
  pendingRequest?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      if (pendingRequest?.answer === answer) setPendingRequest(null)
      resolve(yes)
    }
    setPendingRequest({ methods, answer })
  })
}
