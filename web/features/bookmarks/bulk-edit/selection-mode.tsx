import ListChecks from 'lucide-react/icons/list-checks'
import { lazy, type Ref, useCallback, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'

/** Loaded when selecting starts. */
export const LazyBulkEditor = lazy(() =>
  import('./bulk-editor.tsx').then((module) => ({ default: module.BulkEditor })),
)

export interface SelectionMode {
  isOn: boolean
  start: () => void
  stop: () => void
  button: Ref<HTMLButtonElement>
}

/**
 * Returns whether the user is selecting from a listing.
 * @param listing identifies the listing, not its page. Another listing ends the mode.
 */
export function useSelectionMode(listing: string): SelectionMode {
  const [activeListing, setActiveListing] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const stop = useCallback(() => {
    setActiveListing(null)
    button.current?.focus()
  }, [])
  return { isOn: activeListing === listing, start: () => setActiveListing(listing), stop, button }
}

/** Starts and ends selecting; shown next to the heading of a listing of the viewer's own. */
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
