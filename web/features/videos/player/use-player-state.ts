import { type RefObject, useEffect, useRef } from 'react'
import type { EmbeddedPlayer, PlayerState } from './embedded-players.ts'

const subscribeIntervalMs = 500
const maxSubscribeAttempts = 40

/**
 * Reports when the player in a frame starts and ends, and the time it shows. Only messages from that frame's window and
 * its host's origin are read.
 */
export function usePlayerState(
  frame: RefObject<HTMLIFrameElement | null>,
  { origin, subscribeMessages, read, readSeconds }: EmbeddedPlayer,
  onState: (state: PlayerState) => void,
  onSeconds: (seconds: number) => void = () => {},
): void {
  const latest = useRef({ onState, onSeconds })
  useEffect(() => {
    latest.current = { onState, onSeconds }
  })
  // Created anew at each render, but constant while the frame is.
  const protocol = useRef({ subscribeMessages, read, readSeconds })
  useEffect(() => {
    if (origin === null) return
    const { subscribeMessages, read, readSeconds } = protocol.current
    let state: PlayerState | null = null
    const onMessage = (event: MessageEvent) => {
      const player = frame.current?.contentWindow
      if (player === null || player === undefined || event.source !== player || event.origin !== origin)
        return
      const nextState = read(event.data)
      if (nextState !== null && nextState !== state) {
        state = nextState
        latest.current.onState(nextState)
      }
      const seconds = readSeconds(event.data)
      if (seconds !== null) latest.current.onSeconds(seconds)
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
