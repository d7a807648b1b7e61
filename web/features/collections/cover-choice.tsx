import { type ListingItem, listVideos } from '@reelmark/contract/listing.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAdultConsent } from '../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../shared/adult/adult-cover.tsx'
import { AdultNotice } from '../../shared/adult/adult-notice.tsx'
import { api } from '../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../shared/paging/next-page.ts'
import { Button } from '../../ui/button.tsx'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'
import type { Container } from './container.ts'
import { containerListing } from './container-listing.ts'

interface CoverChoiceProps {
  container: Container
  value: number | null
  onChange: (bookmark: number | null) => void
}

function coverOptionsQuery(container: Container) {
  return infiniteQueryOptions({
    queryKey: ['videos', 'pictures', container.kind, container.id] as const,
    initialPageParam: { page: 1 } as NextPage,
    queryFn: ({ pageParam, signal }) =>
      api(listVideos, { query: { ...containerListing(container), ...pageParam } }, { signal }),
    getNextPageParam: nextPageParam,
  })
}

/** Chooses one of the thumbnails in a container as its cover. */
export function CoverChoice({ container, value, onChange }: CoverChoiceProps) {
  const consent = useAdultConsent()
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    coverOptionsQuery(container),
  )
  const items = data?.pages.flatMap((page) => page.results) ?? []
  const itemsWithThumbnail = items.filter((item) => item.thumbnail_url !== null)
  if (data !== undefined && itemsWithThumbnail.length === 0 && !hasNextPage) return null
  const isCovered = (item: ListingItem) => isAdult(item.orientation) && !consent
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-14 font-medium text-ink">Cover</legend>
      <AdultNotice className="mb-1" orientations={itemsWithThumbnail.map((item) => item.orientation)} />
      <div className="grid max-h-72 grid-cols-2 gap-3 overflow-y-auto p-1 sm:grid-cols-3">
        <CoverOption name="Latest bookmark" checked={value === null} onChoose={() => onChange(null)}>
          <span className="frame flex items-center justify-center rounded-control bg-sunken px-2 text-center text-13 text-quiet">
            Latest bookmark
          </span>
        </CoverOption>
        {itemsWithThumbnail.map((item) => (
          <CoverOption
            key={item.id}
            name={item.title || 'Untitled Bookmark'}
            checked={value === item.id}
            onChoose={() => onChange(item.id)}
          >
            <ThumbnailFrame
              src={isCovered(item) ? null : item.thumbnail_url}
              title={item.title}
              shape={item.shape}
              eager
              className="rounded-control"
            >
              {isCovered(item) && <AdultCover title={item.title} />}
            </ThumbnailFrame>
          </CoverOption>
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

function CoverOption({
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
