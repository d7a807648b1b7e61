/** Something that is on or off at the server (liked, followed), shown as it is wanted while the server is told. */
import { useRef, useState } from 'react'
import { isSaidAsSuspension } from './suspension.ts'

interface WantedParts<Reply> {
  /** As the server last said. */
  isOn: boolean
  send: (on: boolean) => Promise<Reply>
  isOnIn: (reply: Reply) => boolean
  /** Keeps what the server answered, where `isOn` comes from. */
  onReply: (reply: Reply) => void
  /** Says that it failed; of a suspension it is said already. */
  onFailure: (error: unknown) => void
}

/**
 * Pressing shows at once. Pressing again while the server is still at it is told it afterwards, so that it ends as
 * wanted last. A failure takes it back.
 */
export function useWanted<Reply>({ isOn, send, isOnIn, onReply, onFailure }: WantedParts<Reply>) {
  const [wanted, setWanted] = useState<boolean | null>(null)
  const latest = useRef<boolean | null>(null)
  const shown = wanted ?? isOn

  async function tell(): Promise<void> {
    try {
      // A call that toggles may find another state than was shown here, and is then made once more.
      for (let calls = 0; calls < 20; calls++) {
        const asked: boolean = latest.current ?? isOn
        const reply = await send(asked)
        if (latest.current !== asked || (isOnIn(reply) !== asked && calls === 0)) continue
        onReply(reply)
        break
      }
    } catch (error) {
      // In one go with what is said of it.
      latest.current = null
      setWanted(null)
      if (!isSaidAsSuspension(error)) onFailure(error)
      return
    }
    latest.current = null
    // What shows the answer is told a tick after it was kept; until then the old state must not show through.
    setTimeout(() => {
      if (latest.current === null) setWanted(null)
    })
  }

  function toggle(): void {
    const underWay = latest.current !== null
    latest.current = !(latest.current ?? shown)
    setWanted(latest.current)
    if (!underWay) void tell()
  }

  return { isOn: shown, toggle }
}
