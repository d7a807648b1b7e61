import ListChecks from 'lucide-react/icons/list-checks'
import { lazy, type Ref, useCallback, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'

/** Loaded by whoever selects; nobody else needs its code. */
export const LazyBulkEditor = lazy(() =>
  import('./bulk-editor.tsx').then((module) => ({ default: module.BulkEditor })),
)

export interface SelectionMode {
  isOn: boolean
  start: () => void
  stop: () => void
  button: Ref<HTMLButtonElement>
}

/** Whether a listing is being selected from. `listing` names it, whatever its page: in another one it is off again. */
export function useSelectionMode(listing: string): SelectionMode {
  const [on, setOn] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const stop = useCallback(() => {
    setOn(null)
    button.current?.focus()
  }, [])
  return { isOn: on === listing, start: () => setOn(listing), stop, button }
}

/** Starts and ends selecting; beside the heading of a listing of one's own. */
export function SelectButton({
  selectionMode: { isOn, start, stop, button },
}: {
  selectionMode: SelectionMode
}) {
  return (
    <Button
      ref={button}
      aria-pressed={isOn}
      className="max-sm:px-3 aria-pressed:border-accent-ink"
      onClick={isOn ? stop : start}
    >
      <ListChecks className="-ml-0.5 size-4 max-sm:m-0 max-sm:size-5" />
      <span className="max-sm:sr-only">Select</span>
    </Button>
  )
}
