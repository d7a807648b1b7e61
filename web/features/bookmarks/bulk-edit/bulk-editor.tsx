import type { ListingPage, ListingQuery } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import FolderInput from 'lucide-react/icons/folder-input'
import Globe from 'lucide-react/icons/globe'
import Pencil from 'lucide-react/icons/pencil'
import Tag from 'lucide-react/icons/tag'
import Tags from 'lucide-react/icons/tags'
import Trash2 from 'lucide-react/icons/trash'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { BulkDialogName } from './bulk-dialogs.tsx'
import { fetchAllBookmarks } from './fetch-all-bookmarks.ts'
import { PartialFailureDialog } from './partial-failure-dialog.tsx'
import { SelectableGrid } from './selectable-grid.tsx'
import { BarAction, SelectionBar } from './selection-bar.tsx'
import { type BulkChange, type PartialFailure, useBulkChange } from './use-bulk-change.ts'
import { useSelection } from './use-selection.ts'

const BulkDialogs = lazy(() =>
  import('./bulk-dialogs.tsx').then((module) => ({ default: module.BulkDialogs })),
)

interface BulkEditorProps {
  /** Of bookmarks that are all one's own. */
  query: ListingQuery
  /** The page of it that is shown, once it is there. */
  page: ListingPage | undefined
  /** Stands in the place of the cards where there are none. */
  children: ReactNode
  onDone: () => void
}

const noItems: ListingPage['results'] = []

/**
 * A listing of one's own, to pick from and change many at once. What is picked stays while pages are turned; one and the
 * same organiser must stay there for that.
 */
export function BulkEditor({ query, page, children, onDone }: BulkEditorProps) {
  const items = page?.results ?? noItems
  const selection = useSelection(items)
  const { picked } = selection
  const [question, setQuestion] = useState<BulkDialogName | null>(null)
  // A dialog stays where it is once it was opened: closing takes a moment.
  const [dialog, setAsked] = useState(false)
  const [shortfall, setShortfall] = useState<PartialFailure | null>(null)
  const bulk = useBulkChange({ onPartialFailure: setShortfall })
  const section = useRef<HTMLElement>(null)

  const start = useRef(selection.focus)
  useEffect(() => void start.current(), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog(event)) onDone()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onDone])

  function openDialog(next: BulkDialogName): void {
    bulk.forget()
    setAsked(true)
    setQuestion(next)
  }

  async function answer(change: BulkChange, hasAnnounced: (bookmarks: string) => string): Promise<void> {
    const done = await bulk.run(change, picked, hasAnnounced)
    if (done === null) return
    setQuestion(null)
    // What has left the listing is not picked in it any more.
    const leaves = change.action === 'move' && (query.collection ?? query.channel) !== undefined
    if (leaves) selection.drop(done)
  }

  async function remove(): Promise<void> {
    const done = await bulk.run({ action: 'trash' }, picked, (bookmarks) => `${bookmarks} deleted.`)
    if (done === null) return void toast("Couldn't delete the bookmarks. Try again.", { tone: 'danger' })
    selection.clear()
    // The buttons can be pressed no more: the keyboard goes on at the cards, or at what says that there are none.
    setTimeout(() => selection.focus() || section.current?.focus())
  }

  const isNone = picked.size === 0
  return (
    <section ref={section} tabIndex={-1} aria-label="Select bookmarks">
      {items.length > 0 && (
        <SelectAllControls query={query} total={page?.count ?? 0} selection={selection} items={items} />
      )}
      {items.length > 0 ? <SelectableGrid items={items} picker={selection} /> : children}
      <SelectionBar
        count={picked.size}
        what="bookmark"
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
          disabled={isNone}
          onClick={() => openDialog('move')}
        >
          Move…
        </BarAction>
        <BarAction
          Icon={Tag}
          short="Tag"
          aria-haspopup="dialog"
          disabled={isNone}
          onClick={() => openDialog('tag')}
        >
          Add tags…
        </BarAction>
        <BarAction
          Icon={Tags}
          short="Untag"
          aria-haspopup="dialog"
          disabled={isNone}
          onClick={() => openDialog('untag')}
        >
          Remove tags…
        </BarAction>
        <BarAction
          Icon={Globe}
          short="Access"
          aria-haspopup="dialog"
          disabled={isNone}
          onClick={() => openDialog('access')}
        >
          Access…
        </BarAction>
        <BarAction
          Icon={Pencil}
          short="Edit"
          aria-haspopup="dialog"
          disabled={picked.size !== 1}
          onClick={() => openDialog('edit')}
        >
          Edit…
        </BarAction>
        <BarAction Icon={Trash2} short="Delete" disabled={isNone || bulk.busy} onClick={() => void remove()}>
          Delete
        </BarAction>
      </SelectionBar>
      {dialog && (
        <Suspense>
          <BulkDialogs
            dialog={question}
            selected={picked}
            busy={bulk.busy}
            problem={bulk.problem}
            onSubmit={(change, hasAnnounced) => void answer(change, hasAnnounced)}
            onClose={() => setQuestion(null)}
          />
        </Suspense>
      )}
      <PartialFailureDialog shortfall={shortfall} onClose={() => setShortfall(null)} />
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

/** Picks all of the page, or of the listing as far as one request goes; and says what the keys do. */
function SelectAllControls({ query, total, selection, items }: SelectAllProps) {
  const [loading, setLoading] = useState(false)
  const isPagePicked = items.every(({ id }) => selection.picked.has(id))
  const maxCount = Math.min(total, limits.bulkMax)

  async function pickMatching(): Promise<void> {
    setLoading(true)
    try {
      selection.pick(await fetchAllBookmarks(query))
    } catch {
      toast("Couldn't load bookmarks. Try again.", { tone: 'danger' })
    } finally {
      setLoading(false)
    }
  }

  return (
    <div className="mb-5 flex flex-wrap items-center gap-2">
      <Button size="sm" disabled={isPagePicked} onClick={selection.pickAll}>
        Select all {items.length.toLocaleString('en')} on this page
      </Button>
      {total > items.length && (
        <Button
          size="sm"
          busy={loading}
          disabled={selection.picked.size >= maxCount}
          onClick={() => void pickMatching()}
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
