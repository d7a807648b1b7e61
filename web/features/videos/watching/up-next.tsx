import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'

const seconds = 5

/** Someone writes, or is asked something: nothing is taken from under their hands. */
function isUserBusy(): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    document.activeElement?.matches('input, textarea, select, [contenteditable]') === true
  )
}

/** Lies on the stage when a video has ended: counts down to the next one, unless that is cancelled. */
export function UpNext({ title, onGo, onCancel }: { title: string; onGo: () => void; onCancel: () => void }) {
  const [left, setLeft] = useState(seconds)
  const cancel = useRef<HTMLButtonElement>(null)
  useShortcuts({ Escape: onCancel })

  // Who watched by keyboard is inside the player, or nowhere any more: the way to stop this is where they go on.
  useEffect(() => {
    const at = document.activeElement
    if (at === document.body || at instanceof HTMLIFrameElement)
      cancel.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const counting = setInterval(() => {
      if (!isUserBusy()) setLeft((now) => now - 1)
    }, 1_000)
    return () => clearInterval(counting)
  }, [])
  const go = useRef(onGo)
  useEffect(() => {
    go.current = onGo
  })
  useEffect(() => {
    if (left === 0) go.current()
  }, [left])

  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-4 overflow-hidden bg-picture-shade p-4 text-center text-picture-ink">
      <p className="max-w-[48ch] text-16 sm:text-20">
        <span aria-hidden="true" className="text-14 tabular-nums">
          Up next in {Math.max(0, left)}:
        </span>{' '}
        <span className="line-clamp-3 font-medium wrap-anywhere">{title}</span>
      </p>
      <div className="flex gap-2">
        <Button ref={cancel} onClick={onCancel}>
          Cancel
        </Button>
        <Button tone="accent" onClick={onGo}>
          Play now
        </Button>
      </div>
      <p role="status" className="sr-only">
        Up next: {title}. Plays in {seconds} seconds. Press Escape to cancel.
      </p>
    </div>
  )
}
