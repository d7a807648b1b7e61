import { emptyTrash } from '@reelmark/contract/bookmark-changes.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { pageCount } from '@reelmark/contract/protocol/paging.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import ArchiveRestore from 'lucide-react/icons/archive-arrow-up'
import Trash2 from 'lucide-react/icons/trash'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { AdultNotice } from '../../../shared/adult/adult-notice.tsx'
import { api } from '../../../shared/api/api.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListBox } from '../../../ui/list-box.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { toast } from '../../../ui/toast.tsx'
import { PartialFailureDialog } from '../bulk-edit/partial-failure-dialog.tsx'
import type { SelectedItems } from '../bulk-edit/selection.ts'
import { BarAction, SelectionBar } from '../bulk-edit/selection-bar.tsx'
import { type PartialFailure, useBulkChange } from '../bulk-edit/use-bulk-change.ts'
import { useSelection } from '../bulk-edit/use-selection.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { type TrashQuery, trashQuery } from './trash-query.ts'
import { TrashRow } from './trash-row.tsx'
import { EmptyTrashButton, TrashHeader, TrashRowsSkeleton } from './trash-skeleton.tsx'

const noItems: never[] = []

interface TrashPageProps {
  query: TrashQuery
  /** Returns the link to a page. */
  linkTo: (page: number) => LinkProps
  /** The search field and filters, shown if the trash is not empty. */
  tools: ReactNode
  /** Shown if filters leave nothing; null without filters. */
  emptyFiltered: ReactNode | null
}

/**
 * Lists deleted bookmarks until they expire, to restore them or delete them permanently. It fills the window, so that the footer
 * does not jump when they are loaded.
 */
export function TrashPage({ query, linkTo, tools, emptyFiltered }: TrashPageProps) {
  const { page = 1 } = query
  const client = useQueryClient()
  const { username } = useSession()
  const trash = useQuery(trashQuery(query))
  const items = trash.data?.results ?? noItems
  const selection = useSelection(items)
  const { selected } = selection
  const [partialFailure, setPartialFailure] = useState<PartialFailure | null>(null)
  const bulk = useBulkChange({ onPartialFailure: setPartialFailure })
  const [itemsToDelete, setItemsToDelete] = useState<SelectedItems | null>(null)
  const [isConfirmingEmpty, setConfirmingEmpty] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const count = trash.data?.count ?? 0
  const pages = pageCount(count, limits.pageSize)
  // The tools are also shown while the list is loaded, so that they move nothing and keep the focus.
  const hasTools = count > 0 || emptyFiltered !== null || trash.isPending

  /** Moves the focus to the remaining items, or to the heading. */
  const focusRemaining = useRef(() => {})
  const mustMoveFocus = useRef(false)
  const moveFocus = () => {
    mustMoveFocus.current = true
    setTimeout(() => focusRemaining.current())
  }
  useEffect(() => {
    focusRemaining.current = () => void (selection.focus() || heading.current?.focus())
  })
  // The focused element may only disappear now, when the list was fetched again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows change.
  useEffect(() => {
    if (!mustMoveFocus.current || document.activeElement !== document.body) return
    mustMoveFocus.current = false
    focusRemaining.current()
  }, [items])

  async function restore(items: SelectedItems, to: string | null): Promise<void> {
    const where = to === null ? '' : ` to ${to}`
    const changedIds = await bulk.run(
      { action: 'restore' },
      items,
      (bookmarks) => `${bookmarks} restored${where}.`,
    )
    if (changedIds === null) return void toast("Couldn't restore this bookmark.", { tone: 'danger' })
    selection.deselectItems(changedIds)
    moveFocus()
  }

  /** Deletes permanently. Throws on failure; the dialog shows the error. */
  async function deletePermanently(items: SelectedItems): Promise<void> {
    const changedIds = await bulk.runOrThrow(
      { action: 'remove' },
      items,
      (bookmarks) => `${bookmarks} permanently deleted.`,
    )
    selection.deselectItems(changedIds)
  }

  async function empty(): Promise<void> {
    // Each request deletes a limited number, so it is repeated until the trash is empty.
    for (;;) {
      const { removed, remaining } = await api(emptyTrash, {})
      if (remaining === 0 || removed === 0) break
    }
    invalidateBookmarks(client)
    selection.clear()
    toast('The trash is empty.', { tone: 'success' })
  }

  const selectAll = (
    <Button
      size="sm"
      disabled={items.every(({ id }) => selected.has(id))}
      onClick={() => {
        selection.selectPage()
        // The button moves to the bar, where it is disabled.
        selection.focus()
      }}
    >
      Select all {items.length}
      <span className="-ml-1 max-sm:sr-only">on this page</span>
    </Button>
  )
  return (
    <div className="page min-h-dvh max-w-260! pt-8 pb-12 sm:pt-12">
      <TrashHeader heading={heading}>
        {(count > 0 || trash.isPending) && emptyFiltered === null && (
          <EmptyTrashButton
            className={trash.isPending ? 'invisible' : ''}
            onClick={() => setConfirmingEmpty(true)}
          />
        )}
      </TrashHeader>

      <section aria-label="Deleted bookmarks" className="mt-8">
        {hasTools && tools}
        {trash.isPending ? (
          <TrashRowsSkeleton />
        ) : trash.isError ? (
          isCallError(trash.error) && trash.error.status === 404 && page > 1 ? (
            <EmptyState title="This page doesn't exist">
              <Link {...linkTo(1)} className={buttonClass('accent')}>
                Go to the first page
              </Link>
            </EmptyState>
          ) : (
            <EmptyState title="Couldn't load the trash" text="This is usually temporary. Try again.">
              <Button tone="accent" onClick={() => void trash.refetch()}>
                Try again
              </Button>
            </EmptyState>
          )
        ) : items.length === 0 && emptyFiltered !== null ? (
          emptyFiltered
        ) : items.length === 0 ? (
          <EmptyState title="The trash is empty" text="Deleted bookmarks appear here for 30 days.">
            {username !== null && (
              <Link to="/users/$username" params={{ username }} className={buttonClass('accent')}>
                Your bookmarks
              </Link>
            )}
          </EmptyState>
        ) : (
          <>
            <div className="mb-3 flex min-h-9 items-center justify-between gap-4">
              <p className="text-14 text-quiet tabular-nums">{pluralise(count, 'bookmark')}</p>
              {selected.size === 0 && selectAll}
            </div>
            <AdultNotice className="mb-3" orientations={items.map((item) => item.orientation)} />
            <ListBox ref={selection.list} aria-label="Deleted bookmarks">
              {items.map((item, index) => (
                <TrashRow
                  key={item.id}
                  item={item}
                  checkboxProps={selection.checkboxProps(index)}
                  busy={bulk.busy}
                  onRestore={(destination) => void restore(new Map([[item.id, item.title]]), destination)}
                  onRemove={() => setItemsToDelete(new Map([[item.id, item.title]]))}
                />
              ))}
            </ListBox>
            {selected.size > 0 && (
              <SelectionBar
                count={selected.size}
                noun="bookmark"
                busy={bulk.busy}
                onClear={() => {
                  selection.clear()
                  selection.focus()
                }}
                secondary={selectAll}
              >
                <BarAction
                  Icon={ArchiveRestore}
                  short="Restore"
                  disabled={bulk.busy}
                  onClick={() => void restore(selected, null)}
                >
                  Restore
                </BarAction>
                <BarAction
                  Icon={Trash2}
                  short="Delete"
                  aria-haspopup="dialog"
                  disabled={bulk.busy}
                  onClick={() => setItemsToDelete(selected)}
                >
                  Delete permanently…
                </BarAction>
              </SelectionBar>
            )}
            <div className="mt-10">
              <Pager page={page} pages={pages} linkTo={linkTo} />
            </div>
          </>
        )}
      </section>

      <ConfirmRemovalDialog
        open={itemsToDelete !== null}
        title={`Permanently delete ${pluralise(itemsToDelete?.size ?? 1, 'bookmark')}?`}
        action="Delete permanently"
        call={() => deletePermanently(itemsToDelete ?? new Map())}
        onClose={() => setItemsToDelete(null)}
        onDone={moveFocus}
      >
        You can't undo this.
      </ConfirmRemovalDialog>
      <ConfirmRemovalDialog
        open={isConfirmingEmpty}
        title="Empty trash?"
        action="Empty trash"
        call={empty}
        onClose={() => setConfirmingEmpty(false)}
        onDone={moveFocus}
      >
        This permanently deletes{' '}
        {count === 1 ? 'the bookmark in the trash' : `all ${pluralise(count, 'bookmark')}`}. You can't undo
        this.
      </ConfirmRemovalDialog>
      <PartialFailureDialog failure={partialFailure} onClose={() => setPartialFailure(null)} />
    </div>
  )
}
