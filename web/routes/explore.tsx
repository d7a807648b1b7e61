import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { createSeed } from '@reelmark/contract/random-seed.ts'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { lazy } from 'react'
import { ExplorePage } from '../features/listing/explore-page.tsx'
import {
  changeSearch,
  exploreQuery,
  readExploreSearch,
  usesLastOrientation,
} from '../features/listing/explore-search.ts'
import { listingQuery } from '../features/listing/queries.ts'
import { readLink } from '../features/listing/search/link.ts'
import { readLastOrientation } from '../shared/orientation/orientation-memory.ts'

const TagActions = lazy(() =>
  import('../features/users/follows/tag-actions.tsx').then((module) => ({ default: module.TagActions })),
)

const SaveSearch = lazy(() =>
  import('../features/collections/smart/save-search.tsx').then((module) => ({ default: module.SaveSearch })),
)

export const Route = createFileRoute('/explore')({
  validateSearch: readExploreSearch,
  beforeLoad: ({ search }) => {
    if (search.sort === 'random' && search.seed === undefined) {
      throw redirect({ to: '/explore', search: { ...search, seed: createSeed() }, replace: true })
    }
    // features/shell/theme-script.ts does the same on the first load.
    const orientation = import.meta.env.SSR ? undefined : readLastOrientation()
    if (usesLastOrientation(search, orientation)) {
      throw redirect({ to: '/explore', search: changeSearch(search, { orientation }), replace: true })
    }
  },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    // The server renders for visitors, who follow no one.
    if (import.meta.env.SSR && deps.sort === 'following') return
    if (deps.q !== undefined && readLink(deps.q) !== null) return
    const query = listingQuery(exploreQuery(deps))
    const fetched = context.queryClient.prefetchQuery(query)
    // In the browser the page appears immediately, with skeletons.
    if (!import.meta.env.SSR) return
    await fetched
    const error = context.queryClient.getQueryState(query.queryKey)?.error
    if (isCallError(error) && error.status === 404) throw notFound()
  },
  head: async ({ match }) => {
    const { pageParts } = await import('../features/listing/explore-page.tsx')
    return pageParts.exploreHead(match)
  },
  component: Explore,
  // A page past the end responds 404 but looks the same; the list says that it is empty.
  notFoundComponent: Explore,
})

function Explore() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ExplorePage
      search={search}
      onSearch={(next, options) => void navigate({ search: next, ...options })}
      renderTagActions={(tag) => <TagActions key={tag} tag={tag} />}
      renderSaveSearch={(listing) => <SaveSearch listing={listing} />}
    />
  )
}
