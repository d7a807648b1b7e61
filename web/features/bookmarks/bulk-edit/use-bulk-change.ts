import {
  type BulkResult,
  bulkUpdateBookmarks,
  undoBookmarkChanges,
} from '@reelmark/contract/bookmark-changes.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { pluralise } from '../../../ui/pluralise.ts'
import { dismissToast, toast } from '../../../ui/toast.tsx'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import type { SelectedItems } from './selection.ts'

export type BulkChange = Omit<Input<typeof bulkUpdateBookmarks>['body'], 'ids'>

/** The bookmarks a change failed for. */
export interface PartialFailure {
  action: BulkChange['action']
  failed: (BulkResult['failed'][number] & { title: string })[]
}

/** Returns where bookmarks were moved, in the viewer's library; null for other changes. */
function pathOfDestination(change: BulkChange): string | null {
  if (change.action !== 'move') return null
  const { collection_id, channel_id } = change
  return channel_id ? `/library?channel=${channel_id}` : `/library?collection=${collection_id}`
}

interface BulkOptions {
  onPartialFailure: (failure: PartialFailure) => void
}

/** Changes many bookmarks in one request, and offers Undo in a toast where the server can undo it. */
export function useBulkChange({ onPartialFailure }: BulkOptions) {
  const client = useQueryClient()
  const router = useRouter()
  const lastUndo = useRef<(() => void) | null>(null)

  async function undoChange(change: BulkChange, outcome: BulkResult, ids: number[]): Promise<void> {
    lastUndo.current = null
    try {
      const { failed } = await (change.action === 'trash'
        ? api(bulkUpdateBookmarks, { body: { ids, action: 'restore' } })
        : api(undoBookmarkChanges, { body: { bookmarks: outcome.before } }))
      invalidateBookmarks(client)
      if (failed.length === 0) toast('Undone.', { tone: 'success' })
      else toast(`Couldn't undo for ${pluralise(failed.length, 'bookmark')}.`, { tone: 'danger' })
    } catch {
      toast("Couldn't undo. Try again.", { tone: 'danger' })
    }
  }

  /**
   * @param successText returns the toast for a number of bookmarks.
   * @returns the ids of the bookmarks that were changed, or were so already.
   */
  async function runOrThrow(
    change: BulkChange,
    selected: SelectedItems,
    successText: (bookmarks: string) => string,
  ): Promise<Set<number>> {
    const outcome = await api(bulkUpdateBookmarks, { body: { ids: [...selected.keys()], ...change } })
    const failed = outcome.failed.map((failure) => ({ ...failure, title: selected.get(failure.id) ?? '' }))
    const changedIds = new Set(selected.keys())
    for (const { id } of failed) changedIds.delete(id)
    invalidateBookmarks(client, change.action === 'trash' ? changedIds : [])
    const canUndo = outcome.before.length > 0 || (change.action === 'trash' && changedIds.size > 0)
    const undo = canUndo ? () => void undoChange(change, outcome, [...changedIds]) : null
    lastUndo.current = undo
    if (outcome.changed > 0) {
      const destination = pathOfDestination(change)
      const toastId = toast(successText(pluralise(outcome.changed, 'bookmark')), {
        tone: 'success',
        action: [
          ...(destination === null
            ? []
            : [{ label: 'View', href: destination, run: () => router.history.push(destination) }]),
          ...(undo === null ? [] : [{ label: 'Undo', run: undo }]),
        ],
      })
      // Undo removes the toast, also if triggered by the shortcut.
      if (undo !== null)
        lastUndo.current = () => {
          dismissToast(toastId)
          undo()
        }
    } else if (failed.length === 0) toast('No changes made.')
    if (failed.length > 0) onPartialFailure({ action: change.action, failed })
    return changedIds
  }

  const mutation = useApiMutation((args: Parameters<typeof runOrThrow>) => runOrThrow(...args))

  /** Like `runOrThrow`, but returns null after a failure; `problem` is its text. */
  async function run(...args: Parameters<typeof runOrThrow>): Promise<Set<number> | null> {
    return (await mutation.run(args))?.reply ?? null
  }

  // Ctrl+Z or Cmd+Z undoes the last change.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key !== 'z' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        lastUndo.current === null
      )
        return
      const { target } = event
      if (target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, dialog'))
        return
      event.preventDefault()
      lastUndo.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return { busy: mutation.busy, problem: mutation.errorText, run, runOrThrow, reset: mutation.reset }
}
