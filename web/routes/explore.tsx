import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { lazy } from 'react'
import { ExplorePage } from '../features/listing/explore-page.tsx'
import {
  changeSearch,
  createSeed,
  exploreQuery,
  readExploreSearch,
} from '../features/listing/explore-search.ts'
import { hasAdultItems, listingQuery } from '../features/listing/queries.ts'
import { stringifySearch } from '../shared/api/query-string.ts'
import { readLastOrientation } from '../shared/orientation/orientation-memory.ts'
import { pageHead } from '../shared/pages/page-head.ts'

const MuteTagButton = lazy(() =>
  import('../features/users/mutes/mute-tag-button.tsx').then((module) => ({ default: module.MuteTagButton })),
)

export const Route = createFileRoute('/explore')({
  validateSearch: readExploreSearch,
  beforeLoad: ({ search }) => {
    if (search.sort === 'random' && search.seed === undefined) {
      throw redirect({ to: '/explore', search: { ...search, seed: createSeed() }, replace: true })
    }
    // features/shell/theme-script.ts does the same on the first load.
    const orientation = import.meta.env.SSR ? undefined : readLastOrientation()
    if (search.orientation === undefined && orientation !== undefined) {
      throw redirect({ to: '/explore', search: changeSearch(search, { orientation }), replace: true })
    }
  },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    // The server renders for visitors, who follow no one.
    if (import.meta.env.SSR && deps.sort === 'following') return
    const query = listingQuery(exploreQuery(deps))
    const fetched = context.queryClient.prefetchQuery(query)
    // In the browser the page appears immediately, with skeletons.
    if (!import.meta.env.SSR) return
    await fetched
    const error = context.queryClient.getQueryState(query.queryKey)?.error
    if (isCallError(error) && error.status === 404) throw notFound()
  },
  head: ({ match }) => {
    const { q, tag, page, sort, orientation } = match.search
    const subject = q ?? (tag === undefined ? undefined : `#${tag}`)
    return pageHead({
      title: subject === undefined ? 'Explore Bookmarks' : `${subject}: Explore Bookmarks`,
      description: 'Browse and search public bookmarks on Reelmark.',
      publicUrl: match.context.publicUrl,
      path: `/explore${stringifySearch({ tag, page })}`,
      adult: hasAdultItems(match.context.queryClient, exploreQuery(match.search)),
      unlisted: q !== undefined || sort !== undefined || orientation !== undefined,
    })
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
      renderTagAction={(tag) => <MuteTagButton key={tag} tag={tag} />}
    />
  )
}
