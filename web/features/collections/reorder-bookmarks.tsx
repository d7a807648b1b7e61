import { type ListingItem, listVideos } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import ListOrdered from 'lucide-react/icons/list-ordered'
import { useEffect, useRef, useState } from 'react'
import { useIsAdultCovered } from '../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../shared/adult/adult-cover.tsx'
import { queryApi } from '../../shared/api/query-api.ts'
import { type NextPage, nextPageParam } from '../../shared/paging/next-page.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { ReorderList } from '../../ui/reorder-list.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'
import type { Container } from './container.ts'
import { MoveToPositionDialog } from './move-to-position-dialog.tsx'
import { useMoveBookmark } from './use-move-bookmark.ts'

type Row = ListingItem & { name: string }

/** The bookmarks of a list in their manual order, to move them. The first move gives the list the manual order. */
export function ReorderBookmarks({ container, onDone }: { container: Container; onDone: () => void }) {
  const { kind, id } = container
  const client = useQueryClient()
  const done = useRef<HTMLButtonElement>(null)
  const [positioned, setPositioned] = useState<{ item: Row; open: boolean } | null>(null)
  const move = useMoveBookmark(container)
  const queryKey = ['videos', 'order', kind, id] as const
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ client: queryClient, pageParam }) =>
      queryApi(queryClient)(listVideos, {
        query: { [kind]: id, sort: 'manual', page_size: limits.maxPageSize, ...pageParam },
      }),
    initialPageParam: { page: 1 } as NextPage,
    getNextPageParam: nextPageParam,
  })
  // The order after a move, until the list is fetched again.
  const [moved, setMoved] = useState<Row[] | null>(null)
  const fetched = (list.data?.pages ?? []).flatMap(({ results }) =>
    results.map((item) => ({ ...item, name: item.title || 'Untitled Bookmark' })),
  )
  // A move in another tab can shift a bookmark from one page to the next.
  const rows = moved ?? [...new Map(fetched.map((item) => [item.id, item])).values()]
  useEffect(() => done.current?.focus(), [])
  useEffect(() => {
    if (list.data !== undefined) setMoved(null)
  }, [list.data])

  const moveRow = (items: Row[], item: Row, index: number) => {
    setMoved(items)
    void move(item, { after: items[index - 1]?.id ?? null }).then((isMoved) => {
      if (!isMoved) setMoved(null)
    })
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="measure text-14 text-quiet">
          Drag a bookmark by its handle, or use the buttons. Every move is saved.
        </p>
        <Button ref={done} tone="accent" onClick={onDone}>
          Done
        </Button>
      </div>
      {list.isPending && <SkeletonGrid label="Loading bookmarks" />}
      {list.isError && rows.length === 0 && <ErrorNotice text="Couldn't load bookmarks. Try again." />}
      <ReorderList
        label={`Bookmarks in ${container.name}`}
        items={rows}
        onChange={moveRow}
        renderPicture={(item) => <Picture item={item} />}
        renderActions={(item, index) => (
          <>
            <IconButton
              size="sm"
              label={`Move ${item.name} to the top`}
              aria-disabled={index === 0 || undefined}
              onClick={() => {
                if (index > 0) moveRow([item, ...rows.filter((row) => row !== item)], item, 0)
              }}
            >
              <ArrowUpToLine className="size-4" />
            </IconButton>
            <IconButton
              size="sm"
              label={`Move ${item.name} to a position`}
              aria-haspopup="dialog"
              onClick={() => setPositioned({ item, open: true })}
            >
              <ListOrdered className="size-4" />
            </IconButton>
          </>
        )}
      />
      <LoadMore
        list={list}
        failed={(retry) => (
          <Button className="self-center" onClick={retry}>
            Try again
          </Button>
        )}
      />
      {positioned !== null && (
        <MoveToPositionDialog
          container={container}
          bookmark={{ id: positioned.item.id, title: positioned.item.name }}
          open={positioned.open}
          onClose={() => setPositioned({ ...positioned, open: false })}
          onMoved={() => void client.invalidateQueries({ queryKey })}
        />
      )}
    </div>
  )
}

function Picture({ item }: { item: ListingItem }) {
  const isCovered = useIsAdultCovered(item.orientation)
  return (
    <ThumbnailFrame
      src={isCovered ? null : item.thumbnail_url}
      title={item.title}
      shape={item.shape}
      className="my-1 w-16 shrink-0 rounded-chip sm:mr-2 sm:w-24"
    >
      {isCovered && <AdultCover title={item.title} />}
    </ThumbnailFrame>
  )
}
