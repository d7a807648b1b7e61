import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { approveReport } from '@reelmark/contract/decisions.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { toast } from '../../../ui/toast.tsx'
import { invalidateBookmarks } from '../../bookmarks/public-api.ts'

/** The time to read the toast before the page is left. */
const redirectDelayMs = 1200

/** A failed step, with the text that the specification prescribes for it. */
class DeletionError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
  }
}

/**
 * Deletes a video with all its bookmarks: creates a report that requests it, or uses an existing one, and approves it.
 * A retry after a failure continues with the step that failed.
 */
export function useDeleteVideo({ id, video }: Bookmark) {
  const client = useQueryClient()
  const router = useRouter()
  const [isDone, setDone] = useState(false)

  async function report(options: { idempotencyKey: string }): Promise<number> {
    const notes = 'Moderator-initiated deletion'
    const body = { video_id: video.id, bookmark_id: id, report_type: 'request_moderation' as const, notes }
    try {
      return (await api(createReport, { body }, options)).id
    } catch (error) {
      const { report_id } = errorBody(error)
      if (isApiError(error, 'already-reported') && typeof report_id === 'number') return report_id
      throw new DeletionError(errorMessage(error, 'Failed to create report for deletion.'), error)
    }
  }

  async function approve(report_id: number): Promise<void> {
    try {
      await api(approveReport, { body: { report_id } })
    } catch (error) {
      // An earlier attempt approved it, but its response was lost.
      if (isApiError(error, 'already-decided') && errorBody(error).status === 'approved') return
      throw new DeletionError(errorMessage(error, 'Failed to delete video and bookmarks.'), error)
    }
  }

  const { busy, errorText, run, reset } = useApiMutation<void, void>(
    async (_, options) => approve(await report(options)),
    {
      onSuccess() {
        setDone(true)
        toast('Video and all related bookmarks deleted successfully.', { tone: 'success' })
        setTimeout(async () => {
          await router.navigate({ to: '/', replace: true })
          invalidateBookmarks(client, [id])
        }, redirectDelayMs)
      },
      errorText: (error) => (error instanceof DeletionError ? error.message : errorMessage(error)),
    },
  )

  return {
    state: isDone ? ('done' as const) : busy ? ('busy' as const) : ('idle' as const),
    problem: errorText,
    /** @returns whether the video was deleted. */
    remove: async () => (await run()) !== null,
    forget: reset,
  }
}
