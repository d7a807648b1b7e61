import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { resultKinds } from '../features/listing/result-kinds.ts'
import { ResultsPage } from '../features/search-results/results-page.tsx'
import { NotFoundPage } from '../shared/pages/not-found-page.tsx'
import { readPage, readText } from '../shared/paging/search-params.ts'

export interface ResultsSearch {
  q?: string | undefined
  page?: number | undefined
}

const readKind = (text: string) => resultKinds.find((kind) => kind === text)

/** The collections, people or tags that a search finds. */
export const Route = createFileRoute('/explore_/$kind')({
  validateSearch: ({ q, page }: Record<string, unknown>): ResultsSearch => ({
    q: readText(q, limits.searchMax),
    page: readPage(page),
  }),
  beforeLoad: ({ params, search }) => {
    if (readKind(params.kind) === undefined) throw notFound()
    if (search.q === undefined) throw redirect({ to: '/explore', replace: true })
  },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps: { q = '', page } }) => {
    // Loaded on demand, because every first load contains what routes import.
    const { prefetchResults } = await import('../features/search-results/queries.ts')
    const kind = readKind(params.kind) ?? 'collections'
    const failure = prefetchResults(context.queryClient, kind, { q, page })
    // In the browser the page appears immediately, with skeletons.
    if (!import.meta.env.SSR) return
    const error = await failure
    if (isCallError(error) && error.status === 404) throw notFound()
  },
  head: ({ match }) => ({
    meta: [
      { title: `${match.search.q}: Explore · Reelmark` },
      { name: 'robots', content: 'noindex, follow' },
    ],
  }),
  component: Results,
  // A page past the end responds 404 but looks the same; the list says that it does not exist.
  notFoundComponent: Results,
})

function Results() {
  const { q = '', page } = Route.useSearch()
  const kind = readKind(Route.useParams().kind)
  return kind === undefined ? <NotFoundPage /> : <ResultsPage kind={kind} request={{ q, page }} />
}
