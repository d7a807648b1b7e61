import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { approveReport } from '@reelmark/contract/moderation.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { createIdempotencyKey } from '../../../shared/api/idempotency-key.ts'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'
import { serverMessageOr } from '../../../shared/errors/server-message.ts'
import { toast } from '../../../ui/toast.tsx'
import { invalidateBookmarks } from '../../bookmarks/invalidate-bookmarks.ts'

/** How long what was done can be read before the page is left (product.md section 9). */
const redirectDelayMs = 1200

/**
 * Deleting a video with all its bookmarks, as product.md section 4 says: a report that asks for it, then its approval;
 * where the report is there already, that one. What failed is said, and trying again goes on from there.
 */
export function useDeleteVideo({ id, video }: Bookmark) {
  const client = useQueryClient()
  const router = useRouter()
  const [idempotencyKey] = useState(createIdempotencyKey)
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle')
  const [problem, setProblem] = useState<string | null>(null)

  async function report(): Promise<number> {
    const notes = 'Moderator-initiated deletion'
    const body = { video_id: video.id, bookmark_id: id, report_type: 'request_moderation' as const, notes }
    try {
      return (await api(createReport, { body }, { idempotencyKey: idempotencyKey.keyFor(body) })).id
    } catch (error) {
      const { report_id } = errorBody(error)
      if (isApiError(error, 'already-reported') && typeof report_id === 'number') return report_id
      throw new Error(serverMessageOr(error, 'Failed to create report for deletion.'))
    }
  }

  async function approve(report_id: number): Promise<void> {
    try {
      await api(approveReport, { body: { report_id } })
    } catch (error) {
      // By the try before, whose answer did not come.
      if (!isApiError(error, 'already-decided') || errorBody(error).status !== 'approved')
        throw new Error(serverMessageOr(error, 'Failed to delete video and bookmarks.'))
    }
  }

  /** Whether it is deleted. */
  async function remove(): Promise<boolean> {
    setState('busy')
    setProblem(null)
    try {
      await approve(await report())
    } catch (error) {
      setProblem((error as Error).message)
      setState('idle')
      return false
    }
    setState('done')
    toast('Video and all related bookmarks deleted successfully.', { tone: 'success' })
    setTimeout(async () => {
      await router.navigate({ to: '/', replace: true })
      invalidateBookmarks(client, [id])
    }, redirectDelayMs)
    return true
  }

  return { state, problem, remove, forget: () => setProblem(null) }
}
