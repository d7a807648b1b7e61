import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { uploaderTerm } from '@reelmark/contract/search-terms.ts'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import BookmarkIcon from 'lucide-react/icons/bookmark'
import Clock from 'lucide-react/icons/clock'
import ExternalLink from 'lucide-react/icons/external-link'
import Folder from 'lucide-react/icons/folder'
import Heart from 'lucide-react/icons/heart'
import Lock from 'lucide-react/icons/lock'
import Play from 'lucide-react/icons/play'
import { lazy, type ReactNode, Suspense } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Badge, chipClass } from '../../ui/chip.tsx'
import { clockDuration, durationText } from '../../ui/duration.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { bookmarkTitle } from '../bookmarks/public-api.ts'
import { loadHiddenNotice } from '../moderation/public-api.ts'
import { WithMentions } from '../users/public-api.ts'
import { useLike } from '../videos/public-api.ts'
import { BookmarkActions } from './bookmark-actions.tsx'
import { NoteList } from './notes/note-list.tsx'

// Loaded separately, because only owners see it, and rarely.
const HiddenNotice = lazy(() => loadHiddenNotice().then((component) => ({ default: component })))

const loadMissingNotice = () => import('./missing-notice.tsx').then((module) => module.MissingNotice)

/** The details of a bookmark (owner, title, description, tags, source) and its actions. */
export function BookmarkSidebar({ bookmark }: { bookmark: Bookmark }) {
  const { user, video } = bookmark
  const MissingNotice = useDeferredComponent(video.is_missing === true, loadMissingNotice)
  const like = useLike({ videoId: video.id, isLiked: bookmark.is_liked, likesCount: video.likes_count })
  return (
    <div className="flex flex-col gap-6">
      <div className="flex items-center gap-3">
        <Avatar src={user.avatar_url} />
        <div className="min-w-0">
          <p className="flex items-center gap-1 text-14 font-medium">
            {user.username === '' ? (
              'Unknown User'
            ) : (
              <Link
                to="/users/$username"
                params={{ username: user.username }}
                className="truncate hover:underline hover:underline-offset-4"
              >
                {user.username}
              </Link>
            )}
            {user.is_verified && (
              <BadgeCheck role="img" aria-label="Verified" className="size-4 shrink-0 text-accent-ink" />
            )}
          </p>
          <p className="text-13 text-quiet">
            Bookmarked <RelativeTime time={bookmark.created_at} />
          </p>
        </div>
      </div>

      <div className="flex flex-col items-start gap-3">
        {video.status === 'hidden' && <Badge tone="danger">Hidden pending review</Badge>}
        {bookmark.is_owner && video.status === 'hidden' && (
          <Suspense>
            <HiddenNotice videoId={video.id} />
          </Suspense>
        )}
        {video.is_missing === true && <Badge tone="danger">Gone from {video.host}</Badge>}
        {MissingNotice !== null && <MissingNotice bookmark={bookmark} />}
        {bookmark.is_held === true && (
          <>
            <Badge tone="danger">Pending review</Badge>
            <p className="text-13 text-quiet">
              This bookmark is being reviewed. Until it's approved, only you and moderators can see it.
            </p>
          </>
        )}
        {!bookmark.is_public && bookmark.is_held !== true && (
          <Badge>
            <Lock className="size-3.5" />
            Private
          </Badge>
        )}
        <PageTitle sizeClass="text-25" className="tracking-[-0.015em]! wrap-anywhere">
          {bookmarkTitle(bookmark)}
        </PageTitle>
        {video.is_link_only === true && (
          <p className="text-13 text-quiet">
            The rights holder asked for the title and picture to be removed.
          </p>
        )}
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-14 text-quiet tabular-nums">
          <Fact icon={<Heart className="size-4" />}>{pluralise(like.likesCount, 'like')}</Fact>
          <Fact icon={<BookmarkIcon className="size-4" />}>{pluralise(video.saves_count, 'save')}</Fact>
          {video.duration !== null && (
            <Fact icon={<Clock className="size-4" />}>
              <span className="sr-only">Duration </span>
              {durationText(video.duration)}
            </Fact>
          )}
          {bookmark.start_seconds !== null && video.start_parameter !== null && (
            <Fact icon={<Play className="size-4" />}>Starts at {clockDuration(bookmark.start_seconds)}</Fact>
          )}
          <li className="capitalize">
            Orientation: {video.orientation === 'sfw' ? 'SFW' : video.orientation}
          </li>
        </ul>
      </div>

      <BookmarkActions bookmark={bookmark} like={like} />

      <a
        href={video.source_url}
        target="_blank"
        rel="noopener nofollow ugc"
        className={buttonClass('plain', 'md', 'self-start max-w-full')}
      >
        <span className="truncate">View on {video.host}</span>
        <ExternalLink className="size-4 shrink-0" />
        <span className="sr-only">(opens in a new tab)</span>
      </a>

      <UploaderLine bookmark={bookmark} />

      {bookmark.description.trim() !== '' && (
        <p className="measure text-14 leading-[22px] whitespace-pre-line text-ink wrap-anywhere">
          <WithMentions names={bookmark.mentions}>
            <LinkedText text={bookmark.description.trim()} />
          </WithMentions>
        </p>
      )}

      <NoteList bookmark={bookmark} />

      {(bookmark.private_note ?? '').trim() !== '' && (
        <section
          aria-label="Private note"
          className="measure rounded-card border border-dashed border-line px-4 py-3 text-14"
        >
          <p className="mb-1 flex items-center gap-1.5 text-13 text-quiet">
            <Lock className="size-4" />
            Private note. Only you can read it.
          </p>
          <p className="whitespace-pre-line text-ink wrap-anywhere">
            <LinkedText text={(bookmark.private_note ?? '').trim()} />
          </p>
        </section>
      )}

      {bookmark.tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-2">
          {bookmark.tags.map((tag) => (
            <li key={tag.id} className="max-w-full">
              <Link
                {...(bookmark.is_owner
                  ? { to: '/users/$username', params: { username: user.username }, search: { tag: tag.name } }
                  : { to: '/explore', search: { tag: tag.name } })}
                className={chipClass}
              >
                <span className="truncate">{tag.name}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}

      <p className="flex items-center gap-1.5 text-13 text-quiet">
        <Folder className="size-4 shrink-0" />
        <span className="truncate">
          <ContainerLink bookmark={bookmark}>{bookmark.collection.name}</ContainerLink>
          {bookmark.channel !== null && (
            <>
              {' / '}
              <ContainerLink bookmark={bookmark} channel={bookmark.channel.id}>
                {bookmark.channel.name}
              </ContainerLink>
            </>
          )}
        </span>
      </p>
    </div>
  )
}

/** Names the uploader, with links to their other videos here and to their page at the host. */
function UploaderLine({ bookmark: { video } }: { bookmark: Bookmark }) {
  const { uploader_name: name = null, uploader_url: url = null, host } = video
  if (name === null) return null
  return (
    <p className="flex max-w-full flex-wrap items-center gap-x-3 gap-y-2 text-13 text-quiet">
      <span>Uploaded by</span>
      <Link to="/explore" search={{ q: uploaderTerm(name), host }} className={chipClass}>
        <span className="truncate">{name}</span>
      </Link>
      {url !== null && (
        <a
          href={url}
          target="_blank"
          rel="noopener nofollow ugc"
          className="inline-flex min-h-6 items-center gap-1 hover:text-ink hover:underline hover:underline-offset-4 pointer-coarse:min-h-11"
        >
          Channel on {host}
          <ExternalLink className="size-3.5 shrink-0" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
    </p>
  )
}

/** Links to the bookmark's collection or channel on its owner's profile. */
function ContainerLink({
  bookmark: { user, collection },
  channel,
  children,
}: {
  bookmark: Bookmark
  channel?: number
  children: string
}) {
  if (user.username === '') return children
  return (
    <Link
      to="/users/$username"
      params={{ username: user.username }}
      search={{ tab: 'collections', collection: collection.id, channel }}
      className="hover:text-ink hover:underline hover:underline-offset-4"
    >
      {children}
    </Link>
  )
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      {icon}
      <span>{children}</span>
    </li>
  )
}
