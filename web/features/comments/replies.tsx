import { type Comment, listReplies, type Reply } from '@reelmark/contract/comments.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { type CommentContext, commentAnchor, focusAfterRender } from './comment-context.ts'
import { CommentEntry } from './comment-entry.tsx'
import { appendPage, updateComment } from './comment-list-cache.ts'
import { CommentsLoadFailed, LoadMoreComments } from './load-more-comments.tsx'
import { queryFromLink, repliesQuery } from './queries.ts'

const loadFailedText = 'Failed to load replies. Please try again.'

interface RepliesProps {
  comment: Comment
  context: CommentContext
  /** Shown after the others as long as they are on no page that is. */
  extra: readonly Reply[]
  /** One of `extra` was edited, or (null) deleted. */
  onSentChanged: (id: number, to: Reply | null) => void
}

/** What was said to a comment, the oldest first. */
export function Replies({ comment, context, extra, onSentChanged }: RepliesProps) {
  const queryClient = useQueryClient()
  const { queryKey } = repliesQuery(comment.id)
  const replies = useQuery(repliesQuery(comment.id))
  const [deleted, setDeleted] = useState<readonly number[]>([])

  if (replies.data === undefined) {
    return replies.isError ? (
      <CommentsLoadFailed words={loadFailedText} onRetry={() => void replies.refetch()} />
    ) : (
      <SkeletonLine className="my-3 w-1/2" />
    )
  }
  const { results, next } = replies.data
  const more = extra.filter(
    ({ id }, index) =>
      !deleted.includes(id) &&
      !results.some((reply) => reply.id === id) &&
      extra.findIndex((each) => each.id === id) === index,
  )

  function change(id: number, to: Reply | null) {
    queryClient.setQueryData(queryKey, (list) => list && updateComment(list, id, () => to))
    onSentChanged(id, to)
  }

  const item = (reply: Reply) => (
    <li key={reply.id}>
      <CommentEntry
        comment={reply}
        kind="reply"
        context={context}
        onEdited={(edited) => change(reply.id, edited)}
        onDeleted={() => {
          setDeleted((before) => [...before, reply.id])
          change(reply.id, null)
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
      {next !== null && (
        <LoadMoreComments
          errorText={loadFailedText}
          load={async () => {
            const page = await api(listReplies, { params: { id: comment.id }, query: queryFromLink(next) })
            queryClient.setQueryData(queryKey, (list) => list && appendPage(list, page))
            const first = page.results[0]
            if (first !== undefined) focusAfterRender(commentAnchor(first.id))
          }}
        />
      )}
      {more.length > 0 && (
        <ul aria-label="More replies" className="flex flex-col gap-1">
          {more.map(item)}
        </ul>
      )}
    </>
  )
}
