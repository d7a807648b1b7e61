import {
  type BulkResult,
  bulkUpdateBookmarks,
  undoBookmarkChanges,
} from '@reelmark/contract/bookmark-changes.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { pluralise } from '../../../ui/pluralise.ts'
import { dismissToast, toast } from '../../../ui/toast.tsx'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import type { SelectedItems } from './selection.ts'

export type BulkChange = Omit<Input<typeof bulkUpdateBookmarks>['body'], 'ids'>

/** What could not be done, to be told in words. */
export interface PartialFailure {
  action: BulkChange['action']
  failed: (BulkResult['failed'][number] & { title: string })[]
}

interface BulkOptions {
  onPartialFailure: (shortfall: PartialFailure) => void
}

/** What is done to many bookmarks at once: one request, told by a toast that undoes it where the server can. */
export function useBulkChange({ onPartialFailure }: BulkOptions) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
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
   * @param successText what is told of so many.
   * @returns those which it was done to, or were so already.
   */
  async function runOrThrow(
    change: BulkChange,
    picked: SelectedItems,
    successText: (bookmarks: string) => string,
  ): Promise<Set<number>> {
    const outcome = await api(bulkUpdateBookmarks, { body: { ids: [...picked.keys()], ...change } })
    const failed = outcome.failed.map((failure) => ({ ...failure, title: picked.get(failure.id) ?? '' }))
    const done = new Set(picked.keys())
    for (const { id } of failed) done.delete(id)
    invalidateBookmarks(client, change.action === 'trash' ? done : [])
    const isUndone = outcome.before.length > 0 || (change.action === 'trash' && done.size > 0)
    const undo = isUndone ? () => void undoChange(change, outcome, [...done]) : null
    lastUndo.current = undo
    if (outcome.changed > 0) {
      const action = undo === null ? null : { label: 'Undo', run: undo }
      const toastId = toast(successText(pluralise(outcome.changed, 'bookmark')), { tone: 'success', action })
      // By the keys as by the press: what says that it was done goes when it is not so any more.
      if (undo !== null)
        lastUndo.current = () => {
          dismissToast(toastId)
          undo()
        }
    } else if (failed.length === 0) toast('No changes made.')
    if (failed.length > 0) onPartialFailure({ action: change.action, failed })
    return done
  }

  /** The same; null where it failed: then `problem` says why. */
  async function run(...parts: Parameters<typeof runOrThrow>): Promise<Set<number> | null> {
    setBusy(true)
    setProblem(null)
    try {
      return await runOrThrow(...parts)
    } catch (error) {
      setProblem(errorMessage(error))
      return null
    } finally {
      setBusy(false)
    }
  }

  // As everywhere, Ctrl or Cmd with Z takes back what was done last.
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

  return { busy, problem, run, runOrThrow, forget: () => setProblem(null) }
}

export type BulkChangeState = ReturnType<typeof useBulkChange>
