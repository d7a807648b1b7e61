import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useEffect, useRef } from 'react'
import { isPasskeyAutofillSupported, requestPasskey } from './passkey-sign-in.ts'

type PasskeyAnswer = Awaited<ReturnType<typeof requestPasskey>>

/** A request expires with its ticket, so it is renewed a minute before. */
const renewAfterMs = (limits.ticketSeconds - 60) * 1000

/**
 * Makes the browser suggest passkeys in a field with `autocomplete="… webauthn"`, from when the page is idle until it
 * is left. Failures are ignored, because the user did not request anything.
 */
export function usePasskeySuggestions(enabled: boolean, onChosen: (passkey: PasskeyAnswer) => void): void {
  const latestOnChosen = useRef(onChosen)
  useEffect(() => {
    latestOnChosen.current = onChosen
  }, [onChosen])
  useEffect(() => {
    if (!enabled) return
    const unmounted = new AbortController()
    void requestPasskeyByAutofill(unmounted.signal).then((passkey) => {
      if (passkey !== null && !unmounted.signal.aborted) latestOnChosen.current(passkey)
    })
    return () => unmounted.abort()
  }, [enabled])
}

async function requestPasskeyByAutofill(unmounted: AbortSignal): Promise<PasskeyAnswer | null> {
  await waitUntilIdle()
  if (!(await isPasskeyAutofillSupported())) return null
  while (!unmounted.aborted) {
    const round = new AbortController()
    const abort = () => round.abort()
    unmounted.addEventListener('abort', abort)
    const timer = setTimeout(abort, renewAfterMs)
    try {
      return await requestPasskey({ autofill: true, signal: round.signal })
    } catch {
      if (!round.signal.aborted) return null
    } finally {
      clearTimeout(timer)
      unmounted.removeEventListener('abort', abort)
    }
  }
  return null
}

function waitUntilIdle(): Promise<void> {
  return new Promise((done) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => done(), { timeout: 2000 })
    else setTimeout(done, 200)
  })
}
