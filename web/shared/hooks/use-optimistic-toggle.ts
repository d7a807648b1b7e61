/** Something that is on or off at the server (liked, followed), shown as it is wanted while the server is told. */
import { useRef, useState } from 'react'
import { isSuspensionError } from '../session/suspension.ts'

interface OptimisticToggleOptions<Reply> {
  /** As the server last said. */
  isOn: boolean
  send: (on: boolean) => Promise<Reply>
  getIsOn: (reply: Reply) => boolean
  /** Keeps what the server answered, where `isOn` comes from. */
  onReply: (reply: Reply) => void
  /** Says that it failed; of a suspension it is said already. */
  onFailure: (error: unknown) => void
}

/**
 * Pressing shows at once. Pressing again while the server is still at it is told it afterwards, so that it ends as
 * wanted last. A failure takes it back.
 */
export function useOptimisticToggle<Reply>({
  isOn,
  send,
  getIsOn,
  onReply,
  onFailure,
}: OptimisticToggleOptions<Reply>) {
  const [optimistic, setWanted] = useState<boolean | null>(null)
  const latest = useRef<boolean | null>(null)
  const displayed = optimistic ?? isOn

  async function sendLatest(): Promise<void> {
    try {
      // A call that toggles may find another state than was shown here, and is then made once more.
      for (let calls = 0; calls < 20; calls++) {
        const requested: boolean = latest.current ?? isOn
        const reply = await send(requested)
        if (latest.current !== requested || (getIsOn(reply) !== requested && calls === 0)) continue
        onReply(reply)
        break
      }
    } catch (error) {
      // In one go with what is said of it.
      latest.current = null
      setWanted(null)
      if (!isSuspensionError(error)) onFailure(error)
      return
    }
    latest.current = null
    // What shows the answer is told a tick after it was kept; until then the old state must not show through.
    setTimeout(() => {
      if (latest.current === null) setWanted(null)
    })
  }

  function toggle(): void {
    const isSending = latest.current !== null
    latest.current = !(latest.current ?? displayed)
    setWanted(latest.current)
    if (!isSending) void sendLatest()
  }

  return { isOn: displayed, toggle }
}
