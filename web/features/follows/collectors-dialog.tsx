import type { Collector } from '@reelmark/contract/follows.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BadgeCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { FollowButton } from './follow-button.tsx'
import { collectorsQuery } from './people-queries.ts'

interface CollectorsDialogProps {
  videoId: number
  open: boolean
  onClose: () => void
}

/** Who keeps a video, and following them. */
export function CollectorsDialog({ videoId, open, onClose }: CollectorsDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Users Who Bookmarked This Video">
      <Collectors videoId={videoId} />
    </Dialog>
  )
}

function Collectors({ videoId }: { videoId: number }) {
  const people = useInfiniteQuery(collectorsQuery(videoId))
  const [problem, setProblem] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const shown = people.data?.pages.flatMap((page) => page.results) ?? []
  // 'Load more' goes with the last page: the keyboard goes on at the first of those it brought.
  const before = useRef<number | null>(null)
  useEffect(() => {
    if (before.current === null || shown.length <= before.current) return
    list.current?.children[before.current]?.querySelector('a')?.focus()
    before.current = null
  }, [shown.length])

  if (people.isPending) return <Loading />
  return (
    <div className="flex flex-col gap-4" aria-busy={people.isFetching}>
      {people.isError && (
        <Notice tone="danger" urgent>
          <p>Failed to load users.</p>
          <Button
            size="sm"
            className="mt-2 self-start"
            onClick={() => void (people.isFetchNextPageError ? people.fetchNextPage() : people.refetch())}
          >
            Try again
          </Button>
        </Notice>
      )}
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {people.isSuccess && shown.length === 0 && (
        <p className="py-6 text-center text-14 text-quiet">No one has bookmarked this publicly yet.</p>
      )}
      {shown.length > 0 && (
        <ul ref={list} className="flex flex-col divide-y divide-line">
          {shown.map((person) => (
            <Person key={person.id} person={person} onProblem={setProblem} />
          ))}
        </ul>
      )}
      {people.hasNextPage && !people.isFetchNextPageError && (
        <Button
          className="self-center"
          busy={people.isFetchingNextPage}
          busyText="Loading..."
          onClick={() => {
            before.current = shown.length
            void people.fetchNextPage()
          }}
        >
          Load more
        </Button>
      )}
    </div>
  )
}

function Person({ person, onProblem }: { person: Collector; onProblem: (text: string | null) => void }) {
  return (
    <li className="flex min-h-16 items-center gap-3 py-2">
      <Link
        to="/users/$username"
        params={{ username: person.username }}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-control text-14 font-medium hover:underline hover:underline-offset-4"
      >
        <Avatar src={person.avatar_url} />
        <span className="truncate">{person.username}</span>
        {person.is_verified && (
          <BadgeCheck
            role="img"
            aria-label="Verified"
            className="size-4 shrink-0 text-accent-ink"
            strokeWidth={1.75}
          />
        )}
      </Link>
      <FollowButton
        person={person}
        isFollowed={person.is_followed}
        tone="plain"
        size="sm"
        onProblem={onProblem}
      />
    </li>
  )
}

function Loading() {
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
