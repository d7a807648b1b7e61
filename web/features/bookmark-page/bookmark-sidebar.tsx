import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { uploaderTerm } from '@reelmark/contract/search-terms.ts'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import ExternalLink from 'lucide-react/icons/external-link'
import Folder from 'lucide-react/icons/folder'
import { Avatar } from '../../ui/avatar.tsx'
import { chipClass } from '../../ui/chip.tsx'
import { Clamp } from '../../ui/clamp.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { WithMentions } from '../users/public-api.ts'
import { loadOwnerFollow, loadPrivateNote } from './load-parts.ts'
import { NoteList } from './notes/note-list.tsx'

/** The details of a bookmark: owner, source, description, notes, tags and collection. */
export function BookmarkSidebar({ bookmark }: { bookmark: Bookmark }) {
  const { user, video } = bookmark
  const privateNote = (bookmark.private_note ?? '').trim()
  // Only the owner has it, and never in the page that the server rendered.
  const PrivateNote = useDeferredComponent(privateNote !== '', loadPrivateNote)
  const OwnerFollow = useDeferredComponent(user.username !== '', loadOwnerFollow)
  return (
    <div className="flex min-w-0 flex-col gap-4 sm:gap-5">
      <div className="flex items-center gap-3">
        <Avatar src={user.avatar_url} />
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-1 text-14 font-medium">
            {user.username === '' ? (
              'Unknown User'
            ) : (
              <Link
                to="/users/$username"
                params={{ username: user.username }}
                className="touch-target block truncate leading-6 hover:underline hover:underline-offset-4"
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
        {OwnerFollow !== null && <OwnerFollow user={user} />}
      </div>

      <UploaderLine bookmark={bookmark} />

      {bookmark.description.trim() !== '' && (
        <Clamp lines="line-clamp-3 sm:line-clamp-6" what="description">
          <p className="measure text-14 leading-[1.375rem] whitespace-pre-line text-ink wrap-anywhere">
            <WithMentions names={bookmark.mentions}>
              <LinkedText text={bookmark.description.trim()} />
            </WithMentions>
          </p>
        </Clamp>
      )}

      <NoteList bookmark={bookmark} />

      {PrivateNote !== null && <PrivateNote text={privateNote} />}

      {bookmark.tags.length > 0 && (
        <ul
          aria-label="Tags"
          className="flex gap-2 max-sm:-mx-(--gutter) max-sm:overflow-x-auto max-sm:px-(--gutter) max-sm:py-1 sm:flex-wrap"
        >
          {bookmark.tags.map((tag) => (
            <li key={tag.id} className="max-w-full max-sm:shrink-0">
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

      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-13 text-quiet pointer-coarse:-my-2 pointer-coarse:gap-y-0">
        <a
          href={video.source_url}
          target="_blank"
          rel="noopener nofollow ugc"
          className="inline-flex min-h-6 max-w-full items-center gap-1.5 text-accent-ink underline underline-offset-4 pointer-coarse:min-h-11"
        >
          <ExternalLink className="size-4 shrink-0" />
          <span className="truncate">View on {video.host}</span>
          <span className="sr-only">(opens in a new tab)</span>
        </a>
        <p className="flex min-h-6 min-w-0 items-center gap-1.5 pointer-coarse:min-h-11">
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
      className="touch-target hover:text-ink hover:underline hover:underline-offset-4 pointer-coarse:inline-block"
    >
      {children}
    </Link>
  )
}
