import type { ListingPage, ListingQuery } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import FolderInput from 'lucide-react/icons/folder-input'
import Globe from 'lucide-react/icons/globe'
import Pencil from 'lucide-react/icons/pencil'
import Tag from 'lucide-react/icons/tag'
import Tags from 'lucide-react/icons/tags'
import Trash2 from 'lucide-react/icons/trash'
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { BulkDialogName } from './bulk-dialogs.tsx'
import { fetchAllBookmarks } from './fetch-all-bookmarks.ts'
import { PartialFailureDialog } from './partial-failure-dialog.tsx'
import { SelectableGrid } from './selectable-grid.tsx'
import { BarAction, SelectionBar } from './selection-bar.tsx'
import type { SelectionMode } from './selection-mode.tsx'
import { type BulkChange, type PartialFailure, useBulkChange } from './use-bulk-change.ts'
import { useSelection } from './use-selection.ts'

const BulkDialogs = lazy(() =>
  import('./bulk-dialogs.tsx').then((module) => ({ default: module.BulkDialogs })),
)

interface BulkEditorProps {
  /** A listing of the viewer's own bookmarks. */
  query: ListingQuery
  /** The current page, once it is loaded. */
  page: ListingPage | undefined
  /** Shown instead of an empty grid. */
  children: ReactNode
  selectionMode: SelectionMode
  divide?: ComponentProps<typeof SelectableGrid>['divide']
}

const noItems: ListingPage['results'] = []

/**
 * Selects bookmarks from a listing of the viewer's own and edits them together. The selection survives page changes, as
 * long as this component stays mounted.
 */
export function BulkEditor({ query, page, children, selectionMode, divide }: BulkEditorProps) {
  const items = page?.results ?? noItems
  const { stop: onDone, first } = selectionMode
  const selection = useSelection(items, first)
  const { selected } = selection
  const [dialogName, setDialogName] = useState<BulkDialogName | null>(null)
  // Dialogs stay mounted once one was opened, because closing is animated.
  const [hasOpenedDialog, setHasOpenedDialog] = useState(false)
  const [partialFailure, setPartialFailure] = useState<PartialFailure | null>(null)
  const bulk = useBulkChange({ onPartialFailure: setPartialFailure })
  const section = useRef<HTMLElement>(null)

  useEffect(() => {
    const shared = selectionMode.selected
    shared.current = selected
    return () => {
      shared.current = new Map()
    }
  }, [selected, selectionMode.selected])
  // Started by the checkbox of a card, the mode ends with its last one.
  useEffect(() => {
    if (first !== null && selected.size === 0) onDone()
  }, [first, selected, onDone])

  const focusFirst = useRef(selection.focus)
  useEffect(() => void focusFirst.current(), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog(event)) onDone()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onDone])

  function openDialog(next: BulkDialogName): void {
    bulk.reset()
    setHasOpenedDialog(true)
    setDialogName(next)
  }

  async function applyChange(change: BulkChange, successText: (bookmarks: string) => string): Promise<void> {
    const changedIds = await bulk.run(change, selected, successText)
    if (changedIds === null) return
    setDialogName(null)
    if (change.action === 'move') selection.deselectItems(changedIds)
  }

  async function remove(): Promise<void> {
    const changedIds = await bulk.run({ action: 'trash' }, selected, (bookmarks) => `${bookmarks} deleted.`)
    if (changedIds === null)
      return void toast("Couldn't delete the bookmarks. Try again.", { tone: 'danger' })
    selection.clear()
    // The buttons are disabled now, so the focus moves to the cards, or to the message of an empty list.
    setTimeout(() => selection.focus() || section.current?.focus())
  }

  const isNothingSelected = selected.size === 0
  return (
    <section ref={section} tabIndex={-1} aria-label="Select bookmarks">
      {items.length > 0 && (
        <SelectAllControls query={query} total={page?.count ?? 0} selection={selection} items={items} />
      )}
      {items.length > 0 ? <SelectableGrid items={items} selection={selection} divide={divide} /> : children}
      <SelectionBar
        count={selected.size}
        noun="bookmark"
        busy={bulk.busy}
        onClear={() => {
          selection.clear()
          selection.focus()
        }}
        secondary={
          <Button size="sm" onClick={onDone}>
            Done
          </Button>
        }
      >
        <BarAction
          Icon={FolderInput}
          short="Move"
          aria-haspopup="dialog"
          disabled={isNothingSelected}
          onClick={() => openDialog('move')}
        >
          Move…
        </BarAction>
        <BarAction
          Icon={Tag}
          short="Tag"
          aria-haspopup="dialog"
          disabled={isNothingSelected}
          onClick={() => openDialog('tag')}
        >
          Add tags…
        </BarAction>
        <BarAction
          Icon={Tags}
          short="Untag"
          aria-haspopup="dialog"
          disabled={isNothingSelected}
          onClick={() => openDialog('untag')}
        >
          Remove tags…
        </BarAction>
        <BarAction
          Icon={Globe}
          short="Access"
          aria-haspopup="dialog"
          disabled={isNothingSelected}
          onClick={() => openDialog('access')}
        >
          Access…
        </BarAction>
        <BarAction
          Icon={Pencil}
          short="Edit"
          aria-haspopup="dialog"
          disabled={selected.size !== 1}
          onClick={() => openDialog('edit')}
        >
          Edit…
        </BarAction>
        <BarAction
          Icon={Trash2}
          short="Delete"
          disabled={isNothingSelected || bulk.busy}
          onClick={() => void remove()}
        >
          Delete
        </BarAction>
      </SelectionBar>
      {hasOpenedDialog && (
        <Suspense>
          <BulkDialogs
            dialog={dialogName}
            selected={selected}
            busy={bulk.busy}
            problem={bulk.problem}
            onSubmit={(change, successText) => void applyChange(change, successText)}
            onClose={() => setDialogName(null)}
          />
        </Suspense>
      )}
      <PartialFailureDialog failure={partialFailure} onClose={() => setPartialFailure(null)} />
    </section>
  )
}

function isInDialog({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('dialog[open]') !== null
}

interface SelectAllProps {
  query: ListingQuery
  total: number
  selection: ReturnType<typeof useSelection>
  items: ListingPage['results']
}

/** Selects the page, or the whole listing up to the limit of one request, and explains the shortcuts. */
function SelectAllControls({ query, total, selection, items }: SelectAllProps) {
  const [loading, setLoading] = useState(false)
  const isPageSelected = items.every(({ id }) => selection.selected.has(id))
  const maxCount = Math.min(total, limits.bulkMax)

  async function selectMatching(): Promise<void> {
    setLoading(true)
    try {
      selection.selectItems(await fetchAllBookmarks(query))
    } catch {
      toast("Couldn't load bookmarks. Try again.", { tone: 'danger' })
    } finally {
      setLoading(false)
    }
  }

  return (
    <div className="mb-5 flex flex-wrap items-center gap-2">
      <Button size="sm" disabled={isPageSelected} onClick={selection.selectPage}>
        Select all {items.length.toLocaleString('en')} on this page
      </Button>
      {total > items.length && (
        <Button
          size="sm"
          busy={loading}
          disabled={selection.selected.size >= maxCount}
          onClick={() => void selectMatching()}
        >
          {total > limits.bulkMax
            ? `Select the first ${limits.bulkMax} of ${total.toLocaleString('en')}`
            : `Select all ${total.toLocaleString('en')}`}
        </Button>
      )}
      <p className="ml-auto text-13 text-quiet pointer-coarse:hidden max-lg:hidden">
        <Key>Space</Key> to select · Arrows to move · <Key>Shift</Key> for a range · <Key>Ctrl A</Key> for all
        · <Key>Ctrl Z</Key> to undo · <Key>Esc</Key> to exit
      </p>
    </div>
  )
}

function Key({ children }: { children: string }) {
  return (
    <kbd className="rounded-chip border border-line bg-raised px-1.5 py-0.5 font-sans text-12 text-ink">
      {children}
    </kbd>
  )
}
