import { isCallError } from '@reelmark/contract/call.ts'
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { BookmarkError } from '../features/bookmarks/bookmark-error.tsx'
import { bookmarkHead } from '../features/bookmarks/bookmark-head.ts'
import { BookmarkPage } from '../features/bookmarks/bookmark-page.tsx'
import { bookmarkTitle } from '../features/bookmarks/bookmark-title.ts'
import { bookmarkQuery } from '../features/bookmarks/queries.ts'
import { commentsQuery } from '../features/comments/queries.ts'
import { similarQuery } from '../features/listing/queries.ts'
import { TryAgain, WhenReached } from '../features/shell/error-page.tsx'
import { useRenamed } from '../features/shell/use-renamed.ts'
import { isAlone, queueQuery, readQueueSearch } from '../features/watching/queue.ts'

export const Route = createFileRoute('/bookmarks/$id')({
  validateSearch: readQueueSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => {
    const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
    if (id === 0) throw notFound()
    try {
      const bookmark = await context.queryClient.ensureQueryData(bookmarkQuery(id))
      const more = Promise.all([
        isAlone(deps) || context.queryClient.prefetchQuery(queueQuery(id, deps)),
        context.queryClient.prefetchQuery(commentsQuery(bookmark.video.id)),
        context.queryClient.prefetchQuery(similarQuery(id)),
      ])
      if (import.meta.env.SSR) await more
      return bookmark
    } catch (error) {
      if (!isCallError(error)) throw error
      if (error.status === 404) throw notFound()
      // The server's own words are what the page shows; they cross from server to browser as the message.
      throw new Error(errorTexts(error.body)[0] ?? '', { cause: error })
    }
  },
  head: ({ loaderData, match }) =>
    loaderData === undefined
      ? { meta: [{ title: 'Error Loading Bookmark · Reelmark' }] }
      : bookmarkHead(loaderData, match.context.publicUrl),
  component: BookmarkRoute,
  errorComponent: ({ error }) => (
    <WhenReached>
      <BookmarkError message={error instanceof Error ? error.message : ''} again={<TryAgain />} />
    </WhenReached>
  ),
  notFoundComponent: () => <BookmarkError />,
})

function BookmarkRoute() {
  const loaded = Route.useLoaderData()
  // What the loader had, until someone signed in has asked again.
  const { data: bookmark = loaded, error } = useQuery(bookmarkQuery(loaded.id))
  const from = Route.useSearch()
  useRenamed(Route.id, bookmark.id === loaded.id && bookmarkTitle(bookmark) !== bookmarkTitle(loaded))
  // A visitor finds it, and so the page came with it; who is signed in does not.
  if (isCallError(error) && error.status === 404) return <BookmarkError />
  return <BookmarkPage bookmark={bookmark} from={from} />
}
