import { isAdult } from '@reelmark/contract/fields.ts'
import { type ListingItem, listVideos } from '@reelmark/contract/listing.ts'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { PictureFrame } from '../../ui/picture.tsx'
import { AdultNotice } from '../adult/adult-notice.tsx'
import { useAdultConsent } from '../adult/consent.ts'
import { Veil } from '../adult/veil.tsx'
import { type PageAfter, pageAfter } from '../follows/people-queries.ts'
import type { ShownPlace } from './place.ts'
import { placeListing } from './place-listing.ts'

interface PictureChoiceProps {
  place: ShownPlace
  value: number | null
  onChange: (bookmark: number | null) => void
}

function picturesQuery(place: ShownPlace) {
  return infiniteQueryOptions({
    queryKey: ['videos', 'pictures', place.kind, place.id] as const,
    initialPageParam: { page: 1 } as PageAfter,
    queryFn: ({ pageParam, signal }) =>
      api(listVideos, { query: { ...placeListing(place), ...pageParam } }, { signal }),
    getNextPageParam: pageAfter,
  })
}

/** One of the pictures of what is in a place, to stand for it. */
export function PictureChoice({ place, value, onChange }: PictureChoiceProps) {
  const consent = useAdultConsent()
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    picturesQuery(place),
  )
  const items = data?.pages.flatMap((page) => page.results) ?? []
  const withPicture = items.filter((item) => item.thumbnail_url !== null)
  if (data !== undefined && withPicture.length === 0 && !hasNextPage) return null
  const isCovered = (item: ListingItem) => isAdult(item.orientation) && !consent
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-14 font-medium text-ink">Cover</legend>
      <AdultNotice className="mb-1" orientations={withPicture.map((item) => item.orientation)} />
      <div className="grid max-h-72 grid-cols-2 gap-3 overflow-y-auto p-1 sm:grid-cols-3">
        <Choice name="Latest bookmark" checked={value === null} onChoose={() => onChange(null)}>
          <span className="frame flex items-center justify-center rounded-control bg-sunken px-2 text-center text-13 text-quiet">
            Latest bookmark
          </span>
        </Choice>
        {withPicture.map((item) => (
          <Choice
            key={item.id}
            name={item.title || 'Untitled Bookmark'}
            checked={value === item.id}
            onChoose={() => onChange(item.id)}
          >
            <PictureFrame
              src={isCovered(item) ? null : item.thumbnail_url}
              title={item.title}
              contained={item.shape === 'portrait' || item.shape === 'square'}
              eager
              className="rounded-control"
            >
              {isCovered(item) && <Veil title={item.title} />}
            </PictureFrame>
          </Choice>
        ))}
      </div>
      {isError && (
        <p role="alert" className="text-13 text-danger">
          Couldn't load covers.{' '}
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      {hasNextPage && (
        <Button
          size="sm"
          className="self-start"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show more
        </Button>
      )}
      <p className="text-13 text-quiet">Also used for link previews, unless it's adult content.</p>
    </fieldset>
  )
}

function Choice({
  name,
  checked,
  onChoose,
  children,
}: {
  name: string
  checked: boolean
  onChoose: () => void
  children: ReactNode
}) {
  return (
    <label className="relative block cursor-pointer rounded-control ring-offset-2 ring-offset-raised has-checked:ring-2 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-focus">
      <input
        type="radio"
        name="picture"
        aria-label={name}
        title={name}
        checked={checked}
        onChange={onChoose}
        className="absolute inset-0 z-10 cursor-pointer opacity-0"
      />
      {children}
    </label>
  )
}
