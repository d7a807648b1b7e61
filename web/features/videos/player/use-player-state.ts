import { type RefObject, useEffect, useRef } from 'react'
import type { EmbeddedPlayer } from './embedded-players.ts'
import type { PlayerState, ReportedProblem } from './player-protocols.ts'

const subscribeIntervalMs = 500
const maxSubscribeAttempts = 40

interface PlayerListeners {
  onState: (state: PlayerState) => void
  onSeconds?: (seconds: number) => void
  onProblem?: (problem: ReportedProblem) => void
  /** Runs at each message: the player is alive. */
  onMessage?: () => void
}

/**
 * Reports when the player in a frame starts, ends and fails, and the time it shows. Only messages from that frame's window
 * and its host's origin are read.
 */
export function usePlayerState(
  frame: RefObject<HTMLIFrameElement | null>,
  player: EmbeddedPlayer,
  listeners: PlayerListeners,
): void {
  const { origin } = player
  const latest = useRef(listeners)
  useEffect(() => {
    latest.current = listeners
  })
  // Created anew at each render, but constant while the frame is.
  const protocol = useRef(player)
  useEffect(() => {
    if (origin === null) return
    const { subscribeMessages, read, readSeconds, readProblem } = protocol.current
    let state: PlayerState | null = null
    const onMessage = (event: MessageEvent) => {
      const player = frame.current?.contentWindow
      if (player === null || player === undefined || event.source !== player || event.origin !== origin)
        return
      latest.current.onMessage?.()
      const nextState = read(event.data)
      if (nextState !== null && nextState !== state) {
        state = nextState
        latest.current.onState(nextState)
      }
      const seconds = readSeconds(event.data)
      if (seconds !== null) latest.current.onSeconds?.(seconds)
      const problem = readProblem(event.data)
      if (problem !== null) latest.current.onProblem?.(problem)
    }
    window.addEventListener('message', onMessage)
    // Some players only listen some time after loading, and send nothing until they are subscribed to.
    let sentCount = 0
    const subscribeTimer = setInterval(() => {
      if (state !== null || sentCount++ === maxSubscribeAttempts) return clearInterval(subscribeTimer)
      // Before the frame has loaded its page, the browser drops the message and logs an error.
      if (frame.current?.dataset.loaded !== undefined) {
        for (const message of subscribeMessages) frame.current.contentWindow?.postMessage(message, origin)
      }
    }, subscribeIntervalMs)
    return () => {
      window.removeEventListener('message', onMessage)
      clearInterval(subscribeTimer)
    }
  }, [frame, origin])
}
