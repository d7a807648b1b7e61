import { createFileRoute, type LinkProps } from '@tanstack/react-router'
import { TrashPage } from '../features/bookmarks/trash/trash-page.tsx'
import { TrashSkeleton } from '../features/bookmarks/trash/trash-skeleton.tsx'
import { TrashedSmartCollections } from '../features/collections/smart/trashed-smart-collections.tsx'
import { EmptyFilteredList } from '../features/listing/empty-filtered-list.tsx'
import {
  exploreQuery,
  isNarrowed,
  type ListSearch,
  readListSearch,
} from '../features/listing/explore-search.ts'
import { ListTools } from '../features/listing/search/list-tools.tsx'
import { pageHead } from '../shared/pages/page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/trash')({
  ssr: false,
  validateSearch: readListSearch,
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'Trash',
      description: 'Your deleted bookmarks.',
      publicUrl: match.context.publicUrl,
      path: '/trash',
      unlisted: true,
    }),
  pendingComponent: TrashSkeleton,
  component: Trash,
})

function Trash() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const linkTo = (next: ListSearch): LinkProps => ({ to: '/trash', search: next })
  return (
    <>
      <TrashPage
        query={exploreQuery(search) as Parameters<typeof TrashPage>[0]['query']}
        linkTo={(page) => linkTo({ ...search, page: page === 1 ? undefined : page })}
        tools={
          <ListTools
            label="Search the trash"
            kind="own"
            hasOrientation
            search={search}
            onSearch={(next) => void navigate({ search: next as ListSearch })}
            linkTo={(next) => linkTo(next as ListSearch)}
          />
        }
        emptyFiltered={isNarrowed(search) ? <EmptyFilteredList search={search} clear={linkTo({})} /> : null}
      />
      <TrashedSmartCollections />
    </>
  )
}
