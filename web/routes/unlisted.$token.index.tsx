import { createFileRoute } from '@tanstack/react-router'
import { readListOrder } from '../features/collections/container-route.ts'
import { unlistedHead } from '../features/collections/unlisted/unlisted-head.ts'
import { UnlistedPage, type UnlistedSearch } from '../features/collections/unlisted/unlisted-page.tsx'
import { readPage } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/unlisted/$token/')({
  // The response is the same for every link: caches and previews of links contain nothing of the collection.
  ssr: false,
  validateSearch: (search: Record<string, unknown>): UnlistedSearch => ({
    page: readPage(search.page),
    sort: readListOrder(search.sort),
  }),
  head: ({ match }) => unlistedHead(match.context.publicUrl),
  component: UnlistedRoute,
})

function UnlistedRoute() {
  return <UnlistedPage token={Route.useParams().token} search={Route.useSearch()} />
}
