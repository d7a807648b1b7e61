import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { useCountdown } from './use-countdown.ts'

const countdownSeconds = 5

interface UpNextProps {
  title: string
  /** Whether the video may still be playing, so that it must stay visible. */
  isAssumed: boolean
  onGo: () => void
  onCancel: () => void
}

/** Shown on top of an ended video: counts down to the next one unless cancelled. */
export function UpNext({ title, isAssumed, onGo, onCancel }: UpNextProps) {
  const secondsLeft = useCountdown(countdownSeconds, true, onGo)
  const cancelButton = useRef<HTMLButtonElement>(null)
  useShortcuts({ Escape: onCancel })

  // If the focus was in the player or lost, it moves to Cancel.
  useEffect(() => {
    const focused = document.activeElement
    if (focused === document.body || focused?.closest('.shell-player'))
      cancelButton.current?.focus({ preventScroll: true })
  }, [])

  return (
    <div
      className={`absolute inset-x-0 bottom-0 flex overflow-hidden bg-picture-shade p-4 text-picture-ink ${isAssumed ? 'flex-wrap items-center justify-between gap-x-4 gap-y-2' : 'top-0 flex-col items-center justify-center gap-4 text-center'}`}
    >
      <p className={isAssumed ? 'min-w-0 flex-1 basis-48 text-14' : 'max-w-[48ch] text-16 sm:text-20'}>
        <span aria-hidden="true" className="text-14 tabular-nums">
          Next in {secondsLeft} s
        </span>{' '}
        <span className={`${isAssumed ? 'line-clamp-1' : 'line-clamp-3'} font-medium wrap-anywhere`}>
          {title}
        </span>
      </p>
      <div className="flex gap-2">
        <Button ref={cancelButton} onClick={onCancel}>
          Cancel
        </Button>
        <Button tone="accent" onClick={onGo}>
          Play now
        </Button>
      </div>
      <p role="status" className="sr-only">
        Next: {title}. Plays in {countdownSeconds} seconds. Press Escape to cancel.
      </p>
    </div>
  )
}
