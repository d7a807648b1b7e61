import { type RefObject, useEffect, useRef } from 'react'
import type { Player, PlayerState } from './players.ts'

const askAgain = 500
const attempts = 40

/**
 * Hears what the player in a frame tells: once that it plays, and once that it has ended. Only what comes from that
 * frame's own window, and from its host, is heard.
 */
export function usePlayerState(
  frame: RefObject<HTMLIFrameElement | null>,
  { origin, hello, read }: Player,
  onState: (state: PlayerState) => void,
): void {
  const latest = useRef(onState)
  useEffect(() => {
    latest.current = onState
  })
  // Made anew at each rendering, and the same as long as the frame is.
  const parts = useRef({ hello, read })
  useEffect(() => {
    if (origin === null) return
    const { hello, read } = parts.current
    let state: PlayerState | null = null
    const onMessage = (event: MessageEvent) => {
      const player = frame.current?.contentWindow
      if (player === null || player === undefined || event.source !== player || event.origin !== origin)
        return
      const told = read(event.data)
      if (told === null || told === state) return
      state = told
      latest.current(told)
    }
    window.addEventListener('message', onMessage)
    // Some listen only from some moment after their page has loaded, and tell nothing until they are asked.
    let asked = 0
    const asking = setInterval(() => {
      if (state !== null || asked++ === attempts) return clearInterval(asking)
      // While the frame still holds the empty page that it begins with, this is dropped with a complaint of the browser.
      if (frame.current?.dataset.loaded !== undefined) {
        for (const words of hello) frame.current.contentWindow?.postMessage(words, origin)
      }
    }, askAgain)
    return () => {
      window.removeEventListener('message', onMessage)
      clearInterval(asking)
    }
  }, [frame, origin])
}
