import ListChecks from 'lucide-react/icons/list-checks'
import { lazy, type Ref, type RefObject, useCallback, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { Selectable, SelectedItems } from './selection.ts'

/** Loaded when selecting starts. */
export const LazyBulkEditor = lazy(() =>
  import('./bulk-editor.tsx').then((module) => ({ default: module.BulkEditor })),
)

export interface SelectionMode {
  isOn: boolean
  /** @param item selected first; the mode then ends when nothing is selected. */
  start: (item?: Selectable) => void
  stop: () => void
  /** The item that the mode started with. */
  first: Selectable | null
  /** What is selected, for drag and drop. */
  selected: RefObject<SelectedItems>
  button: Ref<HTMLButtonElement>
}

/**
 * Returns whether the user is selecting from a listing.
 * @param listing identifies the listing, not its page. Another listing ends the mode.
 */
export function useSelectionMode(listing: string): SelectionMode {
  const [active, setActive] = useState<{ listing: string; first: Selectable | null } | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const selected = useRef<SelectedItems>(new Map())
  const start = useCallback((item?: Selectable) => setActive({ listing, first: item ?? null }), [listing])
  const stop = useCallback(() => {
    setActive(null)
    button.current?.focus()
  }, [])
  const isOn = active?.listing === listing
  return { isOn, start, stop, first: isOn ? active.first : null, selected, button }
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
      onClick={() => (isOn ? stop() : start())}
    >
      <ListChecks className="-ml-0.5 size-4 max-sm:m-0 max-sm:size-5" />
      <span className="max-sm:sr-only">Select</span>
    </Button>
  )
}
