/**
 * A value that is on or off on the server (liked, followed) and changes in the interface before the server has
 * confirmed.
 */
import { useRef, useState } from 'react'
import { isSuspensionError } from '../session/suspension.ts'

interface OptimisticToggleOptions<Reply> {
  /** The last state known from the server. */
  isOn: boolean
  send: (on: boolean) => Promise<Reply>
  getIsOn: (reply: Reply) => boolean
  /** Updates the cache that `isOn` is read from. */
  onReply: (reply: Reply) => void
  /** Reports a failure. Not called for a suspension, which is reported elsewhere. */
  onFailure: (error: unknown) => void
}

/**
 * Returns the state to show and a function to toggle it. The new state shows immediately. If it is toggled again while
 * a request is in progress, another request follows, so that the server ends in the last chosen state. A failure
 * restores the old state.
 */
export function useOptimisticToggle<Reply>({
  isOn,
  send,
  getIsOn,
  onReply,
  onFailure,
}: OptimisticToggleOptions<Reply>) {
  const [optimistic, setOptimistic] = useState<boolean | null>(null)
  const latest = useRef<boolean | null>(null)
  const displayed = optimistic ?? isOn

  async function sendLatest(): Promise<void> {
    try {
      // An endpoint that toggles may have found a different state than the one shown here. Then it is called once more.
      for (let calls = 0; calls < 20; calls++) {
        const requested: boolean = latest.current ?? isOn
        const reply = await send(requested)
        if (latest.current !== requested || (getIsOn(reply) !== requested && calls === 0)) continue
        onReply(reply)
        break
      }
    } catch (error) {
      // In the same render as the error text.
      latest.current = null
      setOptimistic(null)
      if (!isSuspensionError(error)) onFailure(error)
      return
    }
    latest.current = null
    // The cache notifies its components one tick later. Until then the old state must not show.
    setTimeout(() => {
      if (latest.current === null) setOptimistic(null)
    })
  }

  function toggle(): void {
    const isSending = latest.current !== null
    latest.current = !(latest.current ?? displayed)
    setOptimistic(latest.current)
    if (!isSending) void sendLatest()
  }

  return { isOn: displayed, toggle }
}
