import { type ReorderResult, reorderBookmark } from '@reelmark/contract/bookmark-order.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/api.ts'
import { errorMessage } from '../../shared/errors/error-message.ts'
import { toast } from '../../ui/toast.tsx'
import type { Container } from './container.ts'
import { channelQuery, collectionQuery } from './queries.ts'

type Target = Pick<Input<typeof reorderBookmark>['body'], 'after' | 'position'>
type MovedContainer = Pick<Container, 'kind' | 'id'>

/** Returns a function that moves a bookmark within a list and offers to undo that. It returns false after a failure. */
export function useMoveBookmark({ kind, id }: MovedContainer) {
  const client = useQueryClient()
  const send = (bookmark: number, target: Target): Promise<ReorderResult> =>
    api(reorderBookmark, { params: { id: bookmark }, body: { [kind]: id, ...target } })
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['videos'] })
    void client.invalidateQueries({
      queryKey: (kind === 'collection' ? collectionQuery(id) : channelQuery(id)).queryKey,
    })
  }
  const attempt = async <T>(sending: Promise<T>): Promise<T | null> => {
    try {
      return await sending
    } catch (error) {
      const isMissing = isCallError(error) && error.code === 'neighbour-missing'
      const text = 'The list changed in the meantime. It is shown as it is now; move the bookmark again.'
      toast(isMissing ? text : errorMessage(error), { tone: 'danger' })
      return null
    } finally {
      refresh()
    }
  }
  return async (bookmark: { id: number; title: string }, target: Target): Promise<boolean> => {
    const moved = await attempt(send(bookmark.id, target))
    if (moved === null) return false
    const undo = () => void attempt(send(bookmark.id, { after: moved.previous_after }))
    const title = bookmark.title || 'Untitled Bookmark'
    toast(`Moved “${title}”.`, { tone: 'success', action: { label: 'Undo', run: undo } })
    return true
  }
}
