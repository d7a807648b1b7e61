import type { UnlistedItem } from '@reelmark/contract/collection-links.ts'
import type { ListOrder } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { pageCount } from '@reelmark/contract/protocol/paging.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../../shared/adult/adult-cover.tsx'
import { AdultNotice } from '../../../shared/adult/adult-notice.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { ThumbnailMarks } from '../../../shared/thumbnail-marks.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { Select } from '../../../ui/select.tsx'
import { SkeletonGrid } from '../../../ui/skeleton.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'
import { ReportButton } from '../../moderation/public-api.ts'
import { listOrders, readListOrder } from '../container-route.ts'
import { unlistedCollectionQuery } from './queries.ts'
import { UnlistedError } from './unlisted-states.tsx'

/** The search parameters of the page. Without `sort`, the collection has the order that its owner chose. */
export interface UnlistedSearch {
  page?: number | undefined
  sort?: ListOrder | undefined
}

const orderLabels: Record<ListOrder, string> = {
  manual: "Owner's order",
  newest: 'Newest first',
  oldest: 'Oldest first',
  title: 'Title',
}

/** A collection for everyone who has its secret link. */
export function UnlistedPage({ token, search }: { token: string; search: UnlistedSearch }) {
  const { page = 1, sort } = search
  const navigate = useNavigate()
  const { status, username } = useSession()
  const collection = useQuery({
    ...unlistedCollectionQuery(token, page, sort),
    // The page stays while another order or page is loaded.
    placeholderData: (previous, query) => (query?.queryKey[1] === token ? previous : undefined),
  })
  if (collection.isError) {
    return <UnlistedError error={collection.error} onRetry={() => void collection.refetch()} />
  }
  if (collection.isPending) {
    return (
      <div className="page pt-6 sm:pt-10">
        <SkeletonGrid label="Loading the collection" />
      </div>
    )
  }
  const { name, description, user, count, results, order } = collection.data
  return (
    <div className="page pt-6 sm:pt-10">
      <header className="flex flex-col gap-2 pb-8">
        <PageTitle sizeClass="text-25 sm:text-39" className="wrap-anywhere">
          {name}
        </PageTitle>
        <p className="text-14 text-quiet tabular-nums">
          Shared by {user.username} · {pluralise(count, 'bookmark')}
        </p>
        {description.trim() !== '' && (
          <p className="measure whitespace-pre-line text-14 text-quiet wrap-anywhere">{description}</p>
        )}
        <div className="mt-2 flex flex-wrap items-center gap-2">
          {count > 1 && (
            <div className="w-44">
              <Select
                aria-label="Order"
                value={sort ?? order}
                onChange={({ target }) =>
                  void navigate({
                    to: '/unlisted/$token',
                    params: { token },
                    search: { sort: readListOrder(target.value) },
                    replace: true,
                    resetScroll: false,
                  })
                }
              >
                {listOrders.map((name) => (
                  <option key={name} value={name}>
                    {orderLabels[name]}
                  </option>
                ))}
              </Select>
            </div>
          )}
          {status === 'signed-in' && username !== user.username && (
            <ReportButton
              target={{ kind: 'user', id: user.id, linkToken: token, title: 'Report collection', name }}
            />
          )}
        </div>
      </header>
      {results.length === 0 ? (
        <EmptyState title="No bookmarks found" text="Nothing in this collection is shared by the link." />
      ) : (
        <div className="flex flex-col gap-6">
          <AdultNotice orientations={results.map((item) => item.orientation)} />
          <ul className="card-grid">
            {results.map((item, index) => (
              <li key={item.id}>
                <UnlistedCard token={token} item={item} eager={index < 6} />
              </li>
            ))}
          </ul>
          <Pager
            page={page}
            pages={pageCount(count, limits.pageSize)}
            linkTo={(number) => ({
              to: '/unlisted/$token',
              params: { token },
              search: { sort, page: number === 1 ? undefined : number },
            })}
          />
        </div>
      )}
    </div>
  )
}

function UnlistedCard({ token, item, eager }: { token: string; item: UnlistedItem; eager: boolean }) {
  const isCovered = useIsAdultCovered(item.orientation)
  return (
    <article className="group relative">
      <ThumbnailFrame
        src={isCovered ? null : item.thumbnail_url}
        title={item.title}
        shape={item.shape}
        eager={eager}
        className="rounded-card"
      >
        {isCovered && <AdultCover title={item.title} />}
        <span className="thumbnail-marks transition-opacity">
          <ThumbnailMarks {...item} />
        </span>
        {item.duration !== null && (
          <span className="absolute right-2 bottom-2 rounded-chip bg-picture-shade px-1.5 py-0.5 text-12 font-medium text-picture-ink tabular-nums">
            <span className="sr-only">Duration </span>
            {clockDuration(item.duration)}
          </span>
        )}
      </ThumbnailFrame>
      <h2 className="mt-3 line-clamp-2 text-14 font-medium text-ink sm:text-16 sm:leading-[1.375rem]">
        <Link
          to="/unlisted/$token/$id"
          params={{ token, id: String(item.id) }}
          className="outline-none after:absolute after:inset-0 after:rounded-card group-hover:underline group-hover:underline-offset-4 focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-focus"
        >
          {item.title || 'Untitled Bookmark'}
        </Link>
      </h2>
      <p className="mt-1 truncate text-13 text-quiet">{item.host}</p>
    </article>
  )
}
