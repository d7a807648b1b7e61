import { type FollowedList, listFollowedLists } from '@reelmark/contract/followed-lists.ts'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../../shared/paging/next-page.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { useDeferredComponent } from '../../../ui/use-deferred-component.ts'
import { loadFollowContainer } from '../../collections/public-api.ts'
import { DialogList } from './dialog-list.tsx'
import { useFollowTag } from './follow-tag-chip.tsx'

type Kind = 'container' | 'tag'

/** The viewer's followed collections and channels, or tags, page by page. */
function followedListsQuery(kind: Kind) {
  return infiniteQueryOptions({
    queryKey: ['followed-lists', kind] as const,
    initialPageParam: { page: 1 } as NextPage,
    queryFn: ({ pageParam, signal }) => api(listFollowedLists, { query: { ...pageParam, kind } }, { signal }),
    getNextPageParam: nextPageParam,
  })
}

const texts = {
  container: {
    failed: 'Failed to load collections',
    empty: 'No collections followed.',
    hint: 'Follow a collection or channel on its page. What is saved there then appears in your feed.',
  },
  tag: {
    failed: 'Failed to load tags',
    empty: 'No tags followed.',
    hint: 'Follow a tag in Explore. What others save with it then appears in your feed.',
  },
} as const

/** Lists the collections and channels, or the tags, that the viewer follows. */
export function FollowedLists({ kind, onClose }: { kind: Kind; onClose: () => void }) {
  const lists = useInfiniteQuery(followedListsQuery(kind))
  const [problem, setProblem] = useState<string | null>(null)
  const found = lists.data?.pages.flatMap(({ results }) => results) ?? []
  if (lists.isPending) return <div role="status" aria-label="Loading" className="skeleton h-24" />
  if (lists.isSuccess && found.length === 0) {
    return (
      <div className="flex flex-col items-center gap-2 py-8 text-center">
        <p className="text-16 font-medium">{texts[kind].empty}</p>
        <p className="measure text-14 text-quiet">{texts[kind].hint}</p>
      </div>
    )
  }
  return (
    <DialogList list={lists} count={found.length} failedText={texts[kind].failed} problem={problem}>
      {found.map((list) => (
        <li key={list.id} className="flex items-center gap-3 py-3">
          <div className="min-w-0 flex-1">
            <Link
              {...linkTo(list)}
              onClick={onClose}
              className="inline-flex min-h-11 max-w-full items-center text-14 font-medium hover:underline hover:underline-offset-4"
            >
              <span className="truncate">{list.name}</span>
            </Link>
            {list.user !== null && (
              <p className="-mt-2 truncate text-13 text-quiet">
                {list.collection_name === null ? 'Collection' : `Channel in ${list.collection_name}`} by{' '}
                {list.user.username}
              </p>
            )}
          </div>
          {list.kind === 'tag' ? (
            <UnfollowTag tag={list.name} onProblem={setProblem} />
          ) : (
            <UnfollowContainer list={list} kind={list.kind} onProblem={setProblem} />
          )}
        </li>
      ))}
    </DialogList>
  )
}

function linkTo({ kind, name, container_id }: FollowedList): LinkProps {
  if (kind === 'tag') return { to: '/explore', search: { tag: name } }
  return {
    to: kind === 'channel' ? '/channels/$id' : '/collections/$id',
    params: { id: String(container_id) },
  }
}

interface UnfollowContainerProps {
  list: FollowedList
  kind: 'collection' | 'channel'
  onProblem: (text: string) => void
}

/** The list stays shown after it was unfollowed, so that a mistake can be corrected. */
function UnfollowContainer({ list: { container_id, name }, kind, onProblem }: UnfollowContainerProps) {
  const [isFollowed, setFollowed] = useState(true)
  const FollowContainer = useDeferredComponent(true, loadFollowContainer)
  if (FollowContainer === null || container_id === null) {
    return <span aria-hidden="true" className={buttonClass('plain', 'sm', 'invisible min-w-24')} />
  }
  return (
    <FollowContainer
      container={{ kind, id: container_id, name }}
      isFollowed={isFollowed}
      onChange={setFollowed}
      onProblem={onProblem}
      tone="plain"
      size="sm"
      className="min-w-24"
    />
  )
}

function UnfollowTag({ tag, onProblem }: { tag: string; onProblem: (text: string) => void }) {
  const [isKnownFollowed, setFollowed] = useState(true)
  const { isFollowed, toggle } = useFollowTag({ tag, isFollowed: isKnownFollowed }, onProblem, setFollowed)
  return (
    <Button
      size="sm"
      className="min-w-24"
      aria-label={isFollowed ? `Following ${tag}. Unfollow` : `Follow ${tag}`}
      onClick={toggle}
    >
      {isFollowed ? 'Following' : 'Follow'}
    </Button>
  )
}
