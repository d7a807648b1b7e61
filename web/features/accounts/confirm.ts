/**
 * 'Confirm that it is you': some calls are answered so when one has not shown for a while who one is
 * (contract/account-settings.ts, ConfirmNeeded). Whatever makes such a call wraps it in `confirmed`; the page shows a
 * `ConfirmDialog` once, which asks, and then the call is made again.
 */
import type { ConfirmNeeded } from '@reelmark/contract/account-settings.ts'
import { isCallError } from '@reelmark/contract/call.ts'

export type ConfirmWays = ConfirmNeeded['confirm']

export interface ConfirmQuestion {
  /** Empty: only signing in again is left. */
  ways: ConfirmWays
  answer: (confirmed: boolean) => void
}

let question: ConfirmQuestion | null = null
const listeners = new Set<() => void>()

function ask(next: ConfirmQuestion | null): void {
  question = next
  for (const listener of listeners) listener()
}

/** Calls back when a question is there, or not any more. While nobody listens nothing is asked. */
export function subscribeToConfirm(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) question?.answer(false)
  }
}

export function currentQuestion(): ConfirmQuestion | null {
  return question
}

/** The ways that a reply offers, or null where it asks for no confirmation. Told by its body, never by its text. */
export function confirmWays(error: unknown): ConfirmWays | null {
  if (!isCallError(error) || error.status !== 403) return null
  const { confirm } = (error.body ?? {}) as { confirm?: unknown }
  if (!Array.isArray(confirm)) return null
  return confirm.filter((way) => way === 'password' || way === 'passkey')
}

/**
 * Makes a call; where it must be confirmed first, asks, and makes it again.
 * @returns null where the person did not want to: then nothing has happened.
 * @throws whatever else the call throws.
 */
export async function confirmed<T>(call: () => Promise<T>): Promise<{ reply: T } | null> {
  for (;;) {
    try {
      return { reply: await call() }
    } catch (error) {
      const ways = confirmWays(error)
      if (ways === null || listeners.size === 0) throw error
      if (!(await asked(ways))) return null
    }
  }
}

function asked(ways: ConfirmWays): Promise<boolean> {
  question?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      if (question?.answer === answer) ask(null)
      resolve(yes)
    }
    ask({ ways, answer })
  })
}
