import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { BookmarkError } from '../features/bookmark-page/bookmark-error.tsx'
import { BookmarkPage } from '../features/bookmark-page/bookmark-page.tsx'
import { preloadParts } from '../features/bookmark-page/load-parts.ts'
import { bookmarkTitle } from '../features/bookmarks/bookmark-title.ts'
import { bookmarkQuery } from '../features/bookmarks/queries.ts'
import { commentsQuery } from '../features/comments/queries.ts'
import { similarQuery } from '../features/listing/queries.ts'
import { useRefreshTitle } from '../features/shell/use-refresh-title.ts'
import {
  hasNoContext,
  type PlayContext,
  playQueueQuery,
  readPlayContext,
} from '../features/videos/watching/play-queue.ts'
import { RetryButton, WhenServerReachable } from '../shared/pages/error-page.tsx'
import { readId } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/bookmarks/$id')({
  validateSearch: (search: Record<string, unknown>): PlayContext & { comment?: number | undefined } => ({
    ...readPlayContext(search),
    comment: readId(search.comment),
  }),
  loaderDeps: ({ search: { comment: _, ...context } }) => context,
  loader: async ({ context, params, deps, location }) => {
    const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
    if (id === 0) throw notFound()
    try {
      const bookmark = await context.queryClient.ensureQueryData(bookmarkQuery(id))
      // Merged with another bookmark of the same video.
      if (bookmark.id !== id) {
        throw redirect({
          to: '/bookmarks/$id',
          params: { id: `${bookmark.id}` },
          search: location.search,
          replace: true,
          statusCode: 301,
        })
      }
      const more = Promise.all([
        hasNoContext(deps) || context.queryClient.prefetchQuery(playQueueQuery(id, deps)),
        context.queryClient.prefetchInfiniteQuery(commentsQuery(bookmark.video.id)),
        context.queryClient.prefetchQuery(similarQuery(id)),
      ])
      await (import.meta.env.SSR ? more : preloadParts(!hasNoContext(deps)))
      return bookmark
    } catch (error) {
      if (!isCallError(error)) throw error
      if (error.status === 404) throw notFound()
      // The page shows the server's text. Only an error's message is transferred from server to browser.
      throw new Error(errorTexts(error.body)[0] ?? '', { cause: error })
    }
  },
  head: async ({ loaderData, match }) => {
    if (loaderData === undefined) return { meta: [{ title: 'Error Loading Bookmark · Reelmark' }] }
    const { bookmarkHead } = await import('../features/bookmark-page/bookmark-head.ts')
    return bookmarkHead(loaderData, match.context.publicUrl)
  },
  component: BookmarkRoute,
  errorComponent: ({ error }) => (
    <WhenServerReachable>
      <BookmarkError message={error instanceof Error ? error.message : ''} retry={<RetryButton />} />
    </WhenServerReachable>
  ),
  notFoundComponent: () => <BookmarkError />,
})

function BookmarkRoute() {
  const loaded = Route.useLoaderData()
  // Shows the loader's data until the signed-in viewer's own data is fetched.
  const { data: bookmark = loaded, error } = useQuery(bookmarkQuery(loaded.id))
  const from = Route.useSearch()
  useRefreshTitle(Route.id, bookmark.id === loaded.id && bookmarkTitle(bookmark) !== bookmarkTitle(loaded))
  // The server rendered the page for a visitor; a signed-in viewer may not see the bookmark, for example after a block.
  if (isCallError(error) && error.status === 404) return <BookmarkError />
  return <BookmarkPage bookmark={bookmark} from={from} />
}
