import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useSession } from '../../../shared/session/session.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { MultilineText } from '../../../ui/multiline-text.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { ReportButton } from '../../moderation/public-api.ts'
import { Player } from '../../videos/public-api.ts'
import { unlistedBookmarkQuery } from './queries.ts'
import { UnlistedError } from './unlisted-states.tsx'

/** A bookmark for everyone who has the secret link of its collection: the video and what its owner wrote. */
export function UnlistedBookmarkPage({ token, id }: { token: string; id: number }) {
  const query = useQuery(unlistedBookmarkQuery(token, id))
  const { status, username } = useSession()
  if (query.isError) return <UnlistedError error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) {
    return (
      <div className="page pt-6" role="status" aria-label="Loading the bookmark">
        <div className="aspect-video rounded-card bg-raised" />
        <SkeletonLine className="mt-6 w-2/3" />
      </div>
    )
  }
  const bookmark = query.data
  const title = bookmark.title || 'Untitled Bookmark'
  return (
    <div className="page pt-6">
      <Link
        to="/unlisted/$token"
        params={{ token }}
        className={buttonClass('quiet', 'md', '-ml-4 mb-2 max-w-full')}
      >
        <ArrowLeft className="size-4 shrink-0" />
        <span className="truncate">Back to {bookmark.collection.name}</span>
      </Link>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_360px] lg:gap-x-10">
        <div className="max-sm:-mx-(--gutter)">
          <Player bookmark={bookmark} title={title} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <PageTitle sizeClass="text-20 sm:text-25" className="wrap-anywhere">
            {title}
          </PageTitle>
          <p className="text-14 text-quiet">Shared by {bookmark.user.username}</p>
          {bookmark.description.trim() !== '' && <MultilineText text={bookmark.description} />}
          {bookmark.tags.length > 0 && (
            <ul aria-label="Tags" className="flex flex-wrap gap-2 text-13 text-quiet">
              {bookmark.tags.map(({ id: tagId, name }) => (
                <li key={tagId} className="rounded-chip bg-raised px-2 py-1 wrap-anywhere">
                  {name}
                </li>
              ))}
            </ul>
          )}
          <div className="flex flex-wrap gap-2">
            <a
              href={bookmark.video.source_url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className={buttonClass('plain', 'md', 'max-w-full')}
            >
              <span className="truncate">View on {bookmark.video.host}</span>
            </a>
            {status === 'signed-in' && username !== bookmark.user.username && (
              <ReportButton
                target={{
                  kind: 'video',
                  id: bookmark.video.id,
                  bookmarkId: id,
                  linkToken: token,
                  title: 'Report video',
                  name: title,
                }}
              />
            )}
          </div>
        </div>
      </div>
    </div>
  )
}
