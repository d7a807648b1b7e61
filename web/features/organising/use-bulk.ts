import type { Input } from '@reelmark/contract/endpoint.ts'
import { type BulkOutcome, changeBookmarks, putBackBookmarks } from '@reelmark/contract/own-bookmarks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { counted } from '../../ui/counted.ts'
import { dismissToast, toast } from '../../ui/toast.tsx'
import { bookmarksChanged } from '../bookmarks/after-change.ts'
import { problemText } from '../settings/problem-text.ts'
import type { Picked } from './selection.ts'

export type BulkChange = Omit<Input<typeof changeBookmarks>['body'], 'ids'>

/** What could not be done, to be told in words. */
export interface Shortfall {
  action: BulkChange['action']
  failed: (BulkOutcome['failed'][number] & { title: string })[]
}

interface BulkParts {
  onShortfall: (shortfall: Shortfall) => void
}

/** What is done to many bookmarks at once: one request, told by a toast that undoes it where the server can. */
export function useBulk({ onShortfall }: BulkParts) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const lastUndo = useRef<(() => void) | null>(null)

  async function putBack(change: BulkChange, outcome: BulkOutcome, ids: number[]): Promise<void> {
    lastUndo.current = null
    try {
      const { failed } = await (change.action === 'trash'
        ? api(changeBookmarks, { body: { ids, action: 'restore' } })
        : api(putBackBookmarks, { body: { bookmarks: outcome.before } }))
      bookmarksChanged(client)
      if (failed.length === 0) toast('Undone.', { tone: 'success' })
      else toast(`Couldn't undo for ${counted(failed.length, 'bookmark')}.`, { tone: 'danger' })
    } catch {
      toast("Couldn't undo. Try again.", { tone: 'danger' })
    }
  }

  /**
   * @param said what is told of so many.
   * @returns those which it was done to, or were so already.
   */
  async function runOrThrow(
    change: BulkChange,
    picked: Picked,
    said: (bookmarks: string) => string,
  ): Promise<Set<number>> {
    const outcome = await api(changeBookmarks, { body: { ids: [...picked.keys()], ...change } })
    const failed = outcome.failed.map((each) => ({ ...each, title: picked.get(each.id) ?? '' }))
    const done = new Set(picked.keys())
    for (const { id } of failed) done.delete(id)
    bookmarksChanged(client, change.action === 'trash' ? done : [])
    const isUndone = outcome.before.length > 0 || (change.action === 'trash' && done.size > 0)
    const undo = isUndone ? () => void putBack(change, outcome, [...done]) : null
    lastUndo.current = undo
    if (outcome.changed > 0) {
      const action = undo === null ? null : { label: 'Undo', run: undo }
      const told = toast(said(counted(outcome.changed, 'bookmark')), { tone: 'success', action })
      // By the keys as by the press: what says that it was done goes when it is not so any more.
      if (undo !== null)
        lastUndo.current = () => {
          dismissToast(told)
          undo()
        }
    } else if (failed.length === 0) toast('No changes made.')
    if (failed.length > 0) onShortfall({ action: change.action, failed })
    return done
  }

  /** The same; null where it failed: then `problem` says why. */
  async function run(...parts: Parameters<typeof runOrThrow>): Promise<Set<number> | null> {
    setBusy(true)
    setProblem(null)
    try {
      return await runOrThrow(...parts)
    } catch (error) {
      setProblem(problemText(error))
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

export type Bulk = ReturnType<typeof useBulk>
