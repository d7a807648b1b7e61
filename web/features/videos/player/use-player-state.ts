import { type RefObject, useEffect, useRef } from 'react'
import type { EmbeddedPlayer, PlayerState } from './embedded-players.ts'

const subscribeIntervalMs = 500
const maxSubscribeAttempts = 40

/**
 * Hears what the player in a frame tells: once that it plays, and once that it has ended. Only what comes from that
 * frame's own window, and from its host, is heard.
 */
export function usePlayerState(
  frame: RefObject<HTMLIFrameElement | null>,
  { origin, subscribeMessages, read }: EmbeddedPlayer,
  onState: (state: PlayerState) => void,
): void {
  const latest = useRef(onState)
  useEffect(() => {
    latest.current = onState
  })
  // Made anew at each rendering, and the same as long as the frame is.
  const parts = useRef({ subscribeMessages, read })
  useEffect(() => {
    if (origin === null) return
    const { subscribeMessages, read } = parts.current
    let state: PlayerState | null = null
    const onMessage = (event: MessageEvent) => {
      const player = frame.current?.contentWindow
      if (player === null || player === undefined || event.source !== player || event.origin !== origin)
        return
      const nextState = read(event.data)
      if (nextState === null || nextState === state) return
      state = nextState
      latest.current(nextState)
    }
    window.addEventListener('message', onMessage)
    // Some listen only from some moment after their page has loaded, and tell nothing until they are asked.
    let sentCount = 0
    const subscribeTimer = setInterval(() => {
      if (state !== null || sentCount++ === maxSubscribeAttempts) return clearInterval(subscribeTimer)
      // While the frame still holds the empty page that it begins with, this is dropped with a complaint of the browser.
      if (frame.current?.dataset.loaded !== undefined) {
        for (const messageFields of subscribeMessages)
          frame.current.contentWindow?.postMessage(messageFields, origin)
      }
    }, subscribeIntervalMs)
    return () => {
      window.removeEventListener('message', onMessage)
      clearInterval(subscribeTimer)
    }
  }, [frame, origin])
}
