import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useEffect, useRef } from 'react'
import { isPasskeyAutofillSupported, requestPasskey } from './passkey-sign-in.ts'

type PasskeyAnswer = Awaited<ReturnType<typeof requestPasskey>>

/** A question is over with its ticket; a new one is asked a minute before. */
const renewAfterMs = (limits.ticketSeconds - 60) * 1000

/**
 * Has the browser suggest passkeys where a field with `autocomplete="… webauthn"` is filled in, once the page has
 * nothing better to do and until one leaves it. What fails here is not told: nobody has asked for it.
 */
export function usePasskeySuggestions(enabled: boolean, onChosen: (answer: PasskeyAnswer) => void): void {
  const chosen = useRef(onChosen)
  useEffect(() => {
    chosen.current = onChosen
  }, [onChosen])
  useEffect(() => {
    if (!enabled) return
    const leaving = new AbortController()
    void requestPasskeyByAutofill(leaving.signal).then((answer) => {
      if (answer !== null && !leaving.signal.aborted) chosen.current(answer)
    })
    return () => leaving.abort()
  }, [enabled])
}

async function requestPasskeyByAutofill(leaving: AbortSignal): Promise<PasskeyAnswer | null> {
  await waitUntilIdle()
  if (!(await isPasskeyAutofillSupported())) return null
  while (!leaving.aborted) {
    const round = new AbortController()
    const end = () => round.abort()
    leaving.addEventListener('abort', end)
    const timer = setTimeout(end, renewAfterMs)
    try {
      return await requestPasskey({ autofill: true, signal: round.signal })
    } catch {
      if (!round.signal.aborted) return null
    } finally {
      clearTimeout(timer)
      leaving.removeEventListener('abort', end)
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
