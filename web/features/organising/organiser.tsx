import { limits } from '@reelmark/contract/limits.ts'
import type { ListingPage, ListingQuery } from '@reelmark/contract/listing.ts'
import { FolderInput, Globe, Pencil, Tag, Tags, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { allMatching } from './all-matching.ts'
import type { Question } from './bulk-dialogs.tsx'
import { SelectableGrid } from './selectable-grid.tsx'
import { BarAction, SelectionBar } from './selection-bar.tsx'
import { ShortfallDialog } from './shortfall-dialog.tsx'
import { type BulkChange, type Shortfall, useBulk } from './use-bulk.ts'
import { usePicker } from './use-picker.ts'

const BulkDialogs = lazy(() =>
  import('./bulk-dialogs.tsx').then((module) => ({ default: module.BulkDialogs })),
)

interface OrganiserProps {
  /** Of bookmarks that are all one's own. */
  query: ListingQuery
  /** The page of it that is shown, once it is there. */
  page: ListingPage | undefined
  /** Stands in the place of the cards where there are none. */
  children: ReactNode
  onDone: () => void
}

const none: ListingPage['results'] = []

/**
 * A listing of one's own, to pick from and change many at once. What is picked stays while pages are turned; one and the
 * same organiser must stay there for that.
 */
export function Organiser({ query, page, children, onDone }: OrganiserProps) {
  const items = page?.results ?? none
  const picker = usePicker(items)
  const { picked } = picker
  const [question, setQuestion] = useState<Question | null>(null)
  // A dialog stays where it is once it was opened: closing takes a moment.
  const [asked, setAsked] = useState(false)
  const [shortfall, setShortfall] = useState<Shortfall | null>(null)
  const bulk = useBulk({ onShortfall: setShortfall })
  const section = useRef<HTMLElement>(null)

  const start = useRef(picker.focus)
  useEffect(() => void start.current(), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog(event)) onDone()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onDone])

  function ask(next: Question): void {
    bulk.forget()
    setAsked(true)
    setQuestion(next)
  }

  async function answer(change: BulkChange, said: (bookmarks: string) => string): Promise<void> {
    const done = await bulk.run(change, picked, said)
    if (done === null) return
    setQuestion(null)
    // What has left the listing is not picked in it any more.
    const leaves = change.action === 'move' && (query.collection ?? query.channel) !== undefined
    if (leaves) picker.drop(done)
  }

  async function remove(): Promise<void> {
    const done = await bulk.run({ action: 'trash' }, picked, (bookmarks) => `${bookmarks} deleted.`)
    if (done === null) return void toast("Couldn't delete the bookmarks. Try again.", { tone: 'danger' })
    picker.clear()
    // The buttons can be pressed no more: the keyboard goes on at the cards, or at what says that there are none.
    setTimeout(() => picker.focus() || section.current?.focus())
  }

  const isNone = picked.size === 0
  return (
    <section ref={section} tabIndex={-1} aria-label="Select bookmarks">
      {items.length > 0 && <PickMany query={query} total={page?.count ?? 0} picker={picker} items={items} />}
      {items.length > 0 ? <SelectableGrid items={items} picker={picker} /> : children}
      <SelectionBar
        count={picked.size}
        what="bookmark"
        busy={bulk.busy}
        onClear={() => {
          picker.clear()
          picker.focus()
        }}
        aside={
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
          onClick={() => ask('move')}
        >
          Move…
        </BarAction>
        <BarAction Icon={Tag} short="Tag" aria-haspopup="dialog" disabled={isNone} onClick={() => ask('tag')}>
          Add tags…
        </BarAction>
        <BarAction
          Icon={Tags}
          short="Untag"
          aria-haspopup="dialog"
          disabled={isNone}
          onClick={() => ask('untag')}
        >
          Remove tags…
        </BarAction>
        <BarAction
          Icon={Globe}
          short="Access"
          aria-haspopup="dialog"
          disabled={isNone}
          onClick={() => ask('access')}
        >
          Access…
        </BarAction>
        <BarAction
          Icon={Pencil}
          short="Edit"
          aria-haspopup="dialog"
          disabled={picked.size !== 1}
          onClick={() => ask('edit')}
        >
          Edit…
        </BarAction>
        <BarAction Icon={Trash2} short="Delete" disabled={isNone || bulk.busy} onClick={() => void remove()}>
          Delete
        </BarAction>
      </SelectionBar>
      {asked && (
        <Suspense>
          <BulkDialogs
            question={question}
            picked={picked}
            busy={bulk.busy}
            problem={bulk.problem}
            onAnswer={(change, said) => void answer(change, said)}
            onClose={() => setQuestion(null)}
          />
        </Suspense>
      )}
      <ShortfallDialog shortfall={shortfall} onClose={() => setShortfall(null)} />
    </section>
  )
}

function isInDialog({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('dialog[open]') !== null
}

interface PickManyProps {
  query: ListingQuery
  total: number
  picker: ReturnType<typeof usePicker>
  items: ListingPage['results']
}

/** Picks all of the page, or of the listing as far as one request goes; and says what the keys do. */
function PickMany({ query, total, picker, items }: PickManyProps) {
  const [loading, setLoading] = useState(false)
  const isPagePicked = items.every(({ id }) => picker.picked.has(id))
  const most = Math.min(total, limits.bulkMax)

  async function pickMatching(): Promise<void> {
    setLoading(true)
    try {
      picker.pick(await allMatching(query))
    } catch {
      toast("Couldn't load bookmarks. Try again.", { tone: 'danger' })
    } finally {
      setLoading(false)
    }
  }

  return (
    <div className="mb-5 flex flex-wrap items-center gap-2">
      <Button size="sm" disabled={isPagePicked} onClick={picker.pickAll}>
        Select all {items.length.toLocaleString('en')} on this page
      </Button>
      {total > items.length && (
        <Button
          size="sm"
          busy={loading}
          disabled={picker.picked.size >= most}
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
