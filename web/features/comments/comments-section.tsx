import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { type Comment, listComments } from '@reelmark/contract/comments.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { useSession } from '../../shared/session/session.ts'
import { buttonClass } from '../../ui/button.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { type CommentContext, commentAnchor, focusAfterRender } from './comment-context.ts'
import { CommentItem } from './comment-item.tsx'
import { appendPage, prependComment, updateComment } from './comment-list-cache.ts'
import { CommentsLoadFailed, LoadMoreComments } from './load-more-comments.tsx'
import { commentQuery, commentsQuery, queryFromLink } from './queries.ts'
import { useLinkedCommentId } from './use-linked-comment.ts'

const NewCommentForm = lazy(() =>
  import('./comment-form.tsx').then(({ NewCommentForm: Composer }) => ({ default: Composer })),
)

const loadFailedText = 'Failed to load comments. Please try again.'

/** What people say of a bookmark's video; all its bookmarks show the same. */
export function CommentsSection({ bookmark }: { bookmark: Bookmark }) {
  const { id: videoId } = bookmark.video
  const { username, status } = useSession()
  const queryClient = useQueryClient()
  const { queryKey } = commentsQuery(videoId)
  const comments = useQuery(commentsQuery(videoId))
  const [announcement, setSaid] = useState({ text: '', times: 0 })
  const list = comments.data
  const { target, linked, gone, pinned } = useLinkedComment(videoId, list?.results)

  function announce(text: string) {
    setSaid(({ times }) => ({ text, times: times + 1 }))
  }
  const context: CommentContext = {
    videoId,
    bookmarkOwner: bookmark.user.username,
    username: status === 'signed-in' ? username : null,
    target,
    announce,
    updateComment(id, to) {
      queryClient.setQueryData(queryKey, (now) => now && updateComment(now, id, to))
      if (target === null) return
      queryClient.setQueryData(commentQuery(target).queryKey, (now) => {
        if (now?.id === id) {
          const next = to(now)
          return next && { ...now, ...next }
        }
        if (now?.parent?.id !== id) return now
        const parent = to(now.parent)
        return parent && { ...now, parent }
      })
    },
  }

  const item = (comment: Comment) => (
    <li key={comment.id}>
      <CommentItem
        comment={comment}
        context={context}
        linked={linked?.parent?.id === comment.id ? linked : null}
      />
    </li>
  )
  const shown = list?.results.filter(({ id }) => id !== pinned?.id) ?? []

  return (
    <section id="comments" aria-labelledby="comments-title" className="mt-12 max-w-180">
      <h2
        id="comments-title"
        tabIndex={-1}
        className="mb-4 font-display text-20 font-bold tracking-[-0.01em]"
      >
        Comments
        {list !== undefined && list.count > 0 && (
          <span className="ml-2 font-sans text-16 font-medium text-quiet tabular-nums">
            {list.count.toLocaleString('en')}
          </span>
        )}
      </h2>
      <p role="status" className="sr-only">
        {/* Another one each time: the same words twice are said twice. */}
        <span key={announcement.times}>{announcement.text}</span>
      </p>
      {/* As high as the form from the first paint on, for whoever is signed in. */}
      <div className="[html[data-session=user]_&]:min-h-32">
        {bookmark.video.saves_count === 0 ? (
          <p className="text-14 text-quiet">Comments are off because this video isn't public.</p>
        ) : context.username === null ? (
          <SignInToComment bookmarkId={bookmark.id} />
        ) : (
          <Suspense>
            <NewCommentForm
              key={`${context.username} ${videoId}`}
              videoId={videoId}
              onPosted={(comment) => {
                queryClient.setQueryData(queryKey, (now) => now && prependComment(now, comment))
                announce('Comment posted.')
              }}
            />
          </Suspense>
        )}
      </div>

      <div className="mt-6 flex flex-col gap-3">
        {gone && <p className="text-14 text-quiet">That comment has been deleted.</p>}
        {list === undefined && comments.isPending && <CommentsSkeleton />}
        {list === undefined && comments.isError && (
          <CommentsLoadFailed words={loadFailedText} onRetry={() => void comments.refetch()} />
        )}
        {list !== undefined && list.count === 0 && pinned === null && (
          <p className="text-14 text-quiet">No comments yet. Start the conversation.</p>
        )}
        {(pinned !== null || shown.length > 0) && (
          <ul className="flex flex-col gap-3">
            {pinned !== null && item(pinned)}
            {shown.map(item)}
          </ul>
        )}
        {list?.next && (
          <LoadMoreComments
            errorText={loadFailedText}
            load={async () => {
              const query = queryFromLink(list.next ?? '')
              const page = await api(listComments, { params: { id: videoId }, query })
              queryClient.setQueryData(queryKey, (now) => now && appendPage(now, page))
              const first = page.results[0]
              if (first !== undefined) focusAfterRender(commentAnchor(first.id))
            }}
          />
        )}
      </div>
    </section>
  )
}

/** What a permanent link leads to where it is not on the page by itself. */
function useLinkedComment(videoId: number, results: readonly Comment[] | undefined) {
  const target = useLinkedCommentId()
  const [pinnedId, setPinnedId] = useState<number | null>(null)
  const isThere = (id: number) => results?.some((comment) => comment.id === id) === true
  const isWanted = target !== null && results !== undefined && !isThere(target)
  const { data } = useQuery({ ...commentQuery(target ?? 0), enabled: isWanted })
  const linked = target !== null && data?.video_id === videoId ? data : null
  const top = linked === null ? null : (linked.parent ?? linked)
  // Once at the top it stays there, also when the list has grown to where it stands.
  if (top !== null && results !== undefined && !isThere(top.id) && pinnedId !== top.id) setPinnedId(top.id)
  return {
    target,
    linked,
    gone: isWanted && data !== undefined && linked === null,
    pinned: top !== null && top.id === pinnedId ? top : null,
  }
}

function SignInToComment({ bookmarkId }: { bookmarkId: number }) {
  return (
    <div className="visitors-only flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-card border border-line bg-raised px-4 py-3">
      <p className="text-14 text-ink">Sign in to join the conversation</p>
      <Link
        to="/login"
        search={{ redirect: `/bookmarks/${bookmarkId}#comments` }}
        className={buttonClass('plain')}
      >
        Sign In
      </Link>
    </div>
  )
}

function CommentsSkeleton() {
  return (
    <div role="status" aria-label="Loading comments" className="flex flex-col gap-6">
      {['first', 'second', 'third'].map((key) => (
        <div key={key} className="flex gap-3">
          <div className="skeleton size-10 shrink-0 rounded-full!" />
          <div className="flex flex-1 flex-col gap-2 pt-1">
            <SkeletonLine className="h-3 w-32" />
            <SkeletonLine className="w-3/4" />
          </div>
        </div>
      ))}
    </div>
  )
}
