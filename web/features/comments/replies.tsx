import type { Comment, Reply } from '@reelmark/contract/comments.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { changeCachedRow, loadedRows } from './comment-cache.ts'
import { type CommentContext, commentAnchor, focusAfterRender } from './comment-context.ts'
import { CommentEntry } from './comment-entry.tsx'
import { CommentsLoadFailed, LoadMoreComments } from './load-more-comments.tsx'
import { repliesQuery } from './queries.ts'

const loadFailedText = 'Failed to load replies. Please try again.'

interface RepliesProps {
  comment: Comment
  context: CommentContext
  /** Replies that are shown after the others until a loaded page contains them. */
  extra: readonly Reply[]
  /** Runs after a reply was edited, or deleted (null). */
  onPostedChanged: (id: number, changed: Reply | null) => void
}

/** Lists the replies to a comment, oldest first. */
export function Replies({ comment, context, extra, onPostedChanged }: RepliesProps) {
  const queryClient = useQueryClient()
  const replies = useInfiniteQuery({ ...repliesQuery(comment.id), select: loadedRows<Reply> })
  const [deletedIds, setDeletedIds] = useState<readonly number[]>([])

  if (replies.data === undefined) {
    return replies.isError ? (
      <CommentsLoadFailed errorText={loadFailedText} onRetry={() => void replies.refetch()} />
    ) : (
      <SkeletonLine className="my-3 w-1/2" />
    )
  }
  const { results } = replies.data
  const extraReplies = extra.filter(
    ({ id }, index) =>
      !deletedIds.includes(id) &&
      !results.some((reply) => reply.id === id) &&
      extra.findIndex((item) => item.id === id) === index,
  )

  function changeReply(id: number, changed: Reply | null) {
    changeCachedRow(queryClient, repliesQuery(comment.id).queryKey, id, () => changed)
    onPostedChanged(id, changed)
  }

  const item = (reply: Reply) => (
    <li key={reply.id}>
      <CommentEntry
        comment={reply}
        kind="reply"
        context={context}
        onEdited={(edited) => changeReply(reply.id, edited)}
        onDeleted={() => {
          setDeletedIds((before) => [...before, reply.id])
          changeReply(reply.id, null)
          context.updateComment(comment.id, (now) => ({
            ...now,
            replies_count: Math.max(0, now.replies_count - 1),
          }))
          context.announce('Reply deleted.')
          focusAfterRender(commentAnchor(comment.id))
        }}
      />
    </li>
  )

  return (
    <>
      <ul aria-label="Replies" className="flex flex-col gap-1">
        {results.map(item)}
      </ul>
      <LoadMoreComments list={replies} loadedCount={results.length} errorText={loadFailedText} />
      {extraReplies.length > 0 && (
        <ul aria-label="More replies" className="flex flex-col gap-1">
          {extraReplies.map(item)}
        </ul>
      )}
    </>
  )
}
