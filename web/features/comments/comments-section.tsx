import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Comment } from '@reelmark/contract/comments.ts'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../shared/session/session.ts'
import { useRequireSignIn } from '../../shared/session/use-require-sign-in.ts'
import { buttonClass } from '../../ui/button.tsx'
import { SectionTitle } from '../../ui/section-title.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { cacheNewComment, changeCachedRow, loadedRows } from './comment-cache.ts'
import type { CommentContext } from './comment-context.ts'
import { CommentItem } from './comment-item.tsx'
import { CommentsLoadFailed, LoadMoreComments } from './load-more-comments.tsx'
import { commentQuery, commentsQuery } from './queries.ts'
import { useLinkedCommentId } from './use-linked-comment.ts'

const NewCommentForm = lazy(() =>
  import('./comment-form.tsx').then(({ NewCommentForm: Composer }) => ({ default: Composer })),
)

const loadFailedText = 'Failed to load comments. Please try again.'

/** Lists the comments on a bookmark's video. All bookmarks of the video show the same comments. */
export function CommentsSection({ bookmark }: { bookmark: Bookmark }) {
  const { id: videoId } = bookmark.video
  const { username, status } = useSession()
  const queryClient = useQueryClient()
  const comments = useInfiniteQuery({ ...commentsQuery(videoId), select: loadedRows<Comment> })
  const [announcement, setAnnouncement] = useState({ text: '', sequence: 0 })
  const list = comments.data
  const { target, linked, isMissing, pinned } = useLinkedComment(videoId, list?.results)

  function announce(text: string) {
    setAnnouncement(({ sequence }) => ({ text, sequence: sequence + 1 }))
  }
  const context: CommentContext = {
    videoId,
    bookmarkOwner: bookmark.user.username,
    username: status === 'signed-in' ? username : null,
    target,
    announce,
    updateComment(id, change) {
      changeCachedRow(queryClient, commentsQuery(videoId).queryKey, id, change)
      if (target === null) return
      queryClient.setQueryData(commentQuery(target).queryKey, (now) => {
        if (now?.id === id) {
          const changed = change(now)
          return changed && { ...now, ...changed }
        }
        if (now?.parent?.id !== id) return now
        const parent = change(now.parent)
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
  const isOff = bookmark.video.saves_count === 0
  const shown = list?.results.filter(({ id }) => id !== pinned?.id) ?? []

  return (
    <section
      id="comments"
      aria-labelledby="comments-title"
      className="min-w-0 sm:mt-3 scroll-mt-(--header-height) min-[1441px]:max-w-180"
    >
      <SectionTitle id="comments-title" tabIndex={-1} className="mb-4">
        Comments
        {list !== undefined && list.count > 0 && (
          <span className="ml-2 font-sans text-16 font-medium text-quiet tabular-nums">
            {list.count.toLocaleString('en')}
          </span>
        )}
      </SectionTitle>
      <p role="status" className="sr-only">
        {/* A new element each time, so that a screen reader announces the same text twice. */}
        <span key={announcement.sequence}>{announcement.text}</span>
      </p>
      {/* Reserves the height of the form for signed-in users from the first paint. */}
      <div className="[html[data-session=user]_&]:min-h-32">
        {isOff ? (
          <p className="text-14 text-quiet">Comments are off because this video isn't public.</p>
        ) : context.username === null ? (
          <SignInToComment bookmarkId={bookmark.id} videoId={videoId} />
        ) : (
          <Suspense>
            <NewCommentForm
              key={`${context.username} ${videoId}`}
              videoId={videoId}
              onPosted={(comment) => {
                cacheNewComment(queryClient, videoId, comment)
                announce('Comment posted.')
              }}
            />
          </Suspense>
        )}
      </div>

      <div className="mt-6 flex flex-col gap-3">
        {isMissing && <p className="text-14 text-quiet">That comment has been deleted.</p>}
        {list === undefined && comments.isPending && <CommentsSkeleton />}
        {list === undefined && comments.isError && (
          <CommentsLoadFailed errorText={loadFailedText} onRetry={() => void comments.refetch()} />
        )}
        {list !== undefined && list.count === 0 && pinned === null && !isOff && (
          <p className="text-14 text-quiet">No comments yet. Start the conversation.</p>
        )}
        {(pinned !== null || shown.length > 0) && (
          <ul className="flex flex-col gap-3">
            {pinned !== null && item(pinned)}
            {shown.map(item)}
          </ul>
        )}
        {list !== undefined && (
          <LoadMoreComments list={comments} loadedCount={list.results.length} errorText={loadFailedText} />
        )}
      </div>
    </section>
  )
}

/** Loads the comment of a permanent link if it is not on the loaded pages, and pins it to the top of the list. */
function useLinkedComment(videoId: number, results: readonly Comment[] | undefined) {
  const target = useLinkedCommentId()
  const [pinnedId, setPinnedId] = useState<number | null>(null)
  const isLoaded = (id: number) => results?.some((comment) => comment.id === id) === true
  const mustLoad = target !== null && results !== undefined && !isLoaded(target)
  const { data } = useQuery({ ...commentQuery(target ?? 0), enabled: mustLoad })
  const linked = target !== null && data?.video_id === videoId ? data : null
  const top = linked === null ? null : (linked.parent ?? linked)
  // It stays at the top when the list grows to its own position.
  if (top !== null && results !== undefined && !isLoaded(top.id) && pinnedId !== top.id) setPinnedId(top.id)
  return {
    target,
    linked,
    isMissing: mustLoad && data !== undefined && linked === null,
    pinned: top !== null && top.id === pinnedId ? top : null,
  }
}

function SignInToComment({ bookmarkId, videoId }: { bookmarkId: number; videoId: number }) {
  const requireSignIn = useRequireSignIn()
  return (
    <div className="visitors-only flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-card border border-line bg-raised px-4 py-3">
      <p className="text-14 text-ink">Sign in to join the conversation</p>
      <Link
        to="/login"
        search={{ redirect: `/bookmarks/${bookmarkId}#comments` }}
        className={buttonClass('plain')}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          requireSignIn({ action: 'comment', target: videoId })
        }}
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
