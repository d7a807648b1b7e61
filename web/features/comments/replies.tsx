import { type Comment, listReplies, type Reply } from '@reelmark/contract/comments.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { Entry } from './entry.tsx'
import { changed, extended } from './listed.ts'
import { LoadFailed, LoadMore } from './load-more.tsx'
import { queryOf, repliesQuery } from './queries.ts'
import { anchorOf, focusSoon, type Talk } from './talk.ts'

const words = 'Failed to load replies. Please try again.'

interface RepliesProps {
  comment: Comment
  talk: Talk
  /** Shown after the others as long as they are on no page that is. */
  extra: readonly Reply[]
  /** One of `extra` was edited, or (null) deleted. */
  onSentChanged: (id: number, to: Reply | null) => void
}

/** What was said to a comment, the oldest first. */
export function Replies({ comment, talk, extra, onSentChanged }: RepliesProps) {
  const queryClient = useQueryClient()
  const { queryKey } = repliesQuery(comment.id)
  const replies = useQuery(repliesQuery(comment.id))
  const [deleted, setDeleted] = useState<readonly number[]>([])

  if (replies.data === undefined) {
    return replies.isError ? (
      <LoadFailed words={words} onRetry={() => void replies.refetch()} />
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
    queryClient.setQueryData(queryKey, (list) => list && changed(list, id, () => to))
    onSentChanged(id, to)
  }

  const item = (reply: Reply) => (
    <li key={reply.id}>
      <Entry
        entry={reply}
        kind="reply"
        talk={talk}
        onEdited={(edited) => change(reply.id, edited)}
        onDeleted={() => {
          setDeleted((before) => [...before, reply.id])
          change(reply.id, null)
          talk.change(comment.id, (now) => ({ ...now, replies_count: Math.max(0, now.replies_count - 1) }))
          talk.say('Reply deleted.')
          focusSoon(anchorOf(comment.id))
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
        <LoadMore
          words={words}
          load={async () => {
            const page = await api(listReplies, { params: { id: comment.id }, query: queryOf(next) })
            queryClient.setQueryData(queryKey, (list) => list && extended(list, page))
            const first = page.results[0]
            if (first !== undefined) focusSoon(anchorOf(first.id))
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
