import { createFileRoute } from '@tanstack/react-router'
import { UnlistedBookmarkPage } from '../features/collections/unlisted/unlisted-bookmark-page.tsx'
import { unlistedHead } from '../features/collections/unlisted/unlisted-head.ts'
import { readInteger } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/unlisted/$token/$id')({
  ssr: false,
  head: ({ match }) => unlistedHead(match.context.publicUrl),
  component: UnlistedBookmarkRoute,
})

function UnlistedBookmarkRoute() {
  const { token, id } = Route.useParams()
  return <UnlistedBookmarkPage token={token} id={readInteger(id, 1, Number.MAX_SAFE_INTEGER) ?? 0} />
}
