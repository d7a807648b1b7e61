import type { Collector } from '@reelmark/contract/follows.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import { useEffect, useRef, useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { FollowButton } from './follow-button.tsx'
import { collectorsQuery } from './queries.ts'

interface CollectorsDialogProps {
  videoId: number
  open: boolean
  onClose: () => void
}

/** Lists the users who bookmarked a video publicly, with follow buttons. */
export function CollectorsDialog({ videoId, open, onClose }: CollectorsDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Users Who Bookmarked This Video">
      <CollectorList videoId={videoId} />
    </Dialog>
  )
}

function CollectorList({ videoId }: { videoId: number }) {
  const users = useInfiniteQuery(collectorsQuery(videoId))
  const [errorText, setErrorText] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const collectors = users.data?.pages.flatMap((page) => page.results) ?? []
  // 'Load more' disappears with the last page, so the focus moves to the first user it loaded.
  const previousCount = useRef<number | null>(null)
  useEffect(() => {
    if (previousCount.current === null || collectors.length <= previousCount.current) return
    list.current?.children[previousCount.current]?.querySelector('a')?.focus()
    previousCount.current = null
  }, [collectors.length])

  if (users.isPending) return <CollectorsSkeleton />
  return (
    <div className="flex flex-col gap-4" aria-busy={users.isFetching}>
      {users.isError && (
        <Notice tone="danger" urgent>
          <p>Failed to load users.</p>
          <Button
            size="sm"
            className="mt-2 self-start"
            onClick={() => void (users.isFetchNextPageError ? users.fetchNextPage() : users.refetch())}
          >
            Try again
          </Button>
        </Notice>
      )}
      {errorText !== null && (
        <Notice tone="danger" urgent>
          <p>{errorText}</p>
        </Notice>
      )}
      {users.isSuccess && collectors.length === 0 && (
        <p className="py-6 text-center text-14 text-quiet">No one has bookmarked this publicly yet.</p>
      )}
      {collectors.length > 0 && (
        <ul ref={list} className="flex flex-col divide-y divide-line">
          {collectors.map((user) => (
            <CollectorRow key={user.id} user={user} onProblem={setErrorText} />
          ))}
        </ul>
      )}
      {users.hasNextPage && !users.isFetchNextPageError && (
        <Button
          className="self-center"
          busy={users.isFetchingNextPage}
          busyText="Loading..."
          onClick={() => {
            previousCount.current = collectors.length
            void users.fetchNextPage()
          }}
        >
          Load more
        </Button>
      )}
    </div>
  )
}

function CollectorRow({ user, onProblem }: { user: Collector; onProblem: (text: string | null) => void }) {
  return (
    <li className="flex min-h-16 items-center gap-3 py-2">
      <Link
        to="/users/$username"
        params={{ username: user.username }}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-control text-14 font-medium hover:underline hover:underline-offset-4"
      >
        <Avatar src={user.avatar_url} />
        <span className="truncate">{user.username}</span>
        {user.is_verified && (
          <BadgeCheck role="img" aria-label="Verified" className="size-4 shrink-0 text-accent-ink" />
        )}
      </Link>
      <FollowButton user={user} isFollowed={user.is_followed} tone="plain" size="sm" onProblem={onProblem} />
    </li>
  )
}

function CollectorsSkeleton() {
  return (
    <div role="status" aria-label="Loading users" className="flex flex-col">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex min-h-16 items-center gap-3">
          <div className="skeleton size-10 rounded-full" />
          <div className="skeleton h-4 w-32" />
        </div>
      ))}
    </div>
  )
}
