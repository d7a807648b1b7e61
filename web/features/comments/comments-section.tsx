import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { type Comment, listComments } from '@reelmark/contract/comments.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../api.ts'
import { useSession } from '../../session.ts'
import { buttonClass } from '../../ui/button.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { CommentItem } from './comment-item.tsx'
import { changed, extended, prepended } from './listed.ts'
import { LoadFailed, LoadMore } from './load-more.tsx'
import { commentQuery, commentsQuery, queryOf } from './queries.ts'
import { anchorOf, focusSoon, type Talk } from './talk.ts'
import { useTarget } from './use-target.ts'

const Composer = lazy(() => import('./writing.tsx').then(({ Composer }) => ({ default: Composer })))

const words = 'Failed to load comments. Please try again.'

/** What people say of a bookmark's video; all its bookmarks show the same. */
export function CommentsSection({ bookmark }: { bookmark: Bookmark }) {
  const { id: videoId } = bookmark.video
  const { username, status } = useSession()
  const queryClient = useQueryClient()
  const { queryKey } = commentsQuery(videoId)
  const comments = useQuery(commentsQuery(videoId))
  const [said, setSaid] = useState({ text: '', times: 0 })
  const list = comments.data
  const { target, linked, gone, pinned } = useLinked(videoId, list?.results)

  function say(text: string) {
    setSaid(({ times }) => ({ text, times: times + 1 }))
  }
  const talk: Talk = {
    videoId,
    bookmarkOwner: bookmark.user.username,
    username: status === 'signed-in' ? username : null,
    target,
    say,
    change(id, to) {
      queryClient.setQueryData(queryKey, (now) => now && changed(now, id, to))
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
      <CommentItem comment={comment} talk={talk} linked={linked?.parent?.id === comment.id ? linked : null} />
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
        <span key={said.times}>{said.text}</span>
      </p>
      {/* As high as the form from the first paint on, for whoever is signed in. */}
      <div className="[html[data-session=user]_&]:min-h-32">
        {bookmark.video.saves_count === 0 ? (
          <p className="text-14 text-quiet">Comments are off because this video isn't public.</p>
        ) : talk.username === null ? (
          <SignInFirst bookmarkId={bookmark.id} />
        ) : (
          <Suspense>
            <Composer
              key={`${talk.username} ${videoId}`}
              videoId={videoId}
              onPosted={(comment) => {
                queryClient.setQueryData(queryKey, (now) => now && prepended(now, comment))
                say('Comment posted.')
              }}
            />
          </Suspense>
        )}
      </div>

      <div className="mt-6 flex flex-col gap-3">
        {gone && <p className="text-14 text-quiet">That comment has been deleted.</p>}
        {list === undefined && comments.isPending && <Waiting />}
        {list === undefined && comments.isError && (
          <LoadFailed words={words} onRetry={() => void comments.refetch()} />
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
          <LoadMore
            words={words}
            load={async () => {
              const query = queryOf(list.next ?? '')
              const page = await api(listComments, { params: { id: videoId }, query })
              queryClient.setQueryData(queryKey, (now) => now && extended(now, page))
              const first = page.results[0]
              if (first !== undefined) focusSoon(anchorOf(first.id))
            }}
          />
        )}
      </div>
    </section>
  )
}

/** What a permanent link leads to where it is not on the page by itself. */
function useLinked(videoId: number, results: readonly Comment[] | undefined) {
  const target = useTarget()
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

function SignInFirst({ bookmarkId }: { bookmarkId: number }) {
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

function Waiting() {
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
