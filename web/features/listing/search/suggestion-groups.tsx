import type { findOwnBookmarksByUrl } from '@reelmark/contract/collect.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { uploaderTerm } from '@reelmark/contract/search-terms.ts'
import type { Suggestions } from '@reelmark/contract/suggestions.ts'
import type { LinkProps } from '@tanstack/react-router'
import Bookmark from 'lucide-react/icons/bookmark'
import BookmarkCheck from 'lucide-react/icons/bookmark-check'
import Clapperboard from 'lucide-react/icons/clapperboard'
import FolderHeart from 'lucide-react/icons/folder-heart'
import Play from 'lucide-react/icons/play'
import Search from 'lucide-react/icons/search'
import Tag from 'lucide-react/icons/tag'
import type { ReactNode } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { formatDate } from '../../../ui/format-date.ts'
import { pluralise } from '../../../ui/pluralise.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'
import { destinationName } from '../../bookmarks/public-api.ts'
import { createBeginningRenderer } from './highlight-matches.tsx'
import { matchOperators } from './match-operators.ts'

/**
 * What choosing a suggestion does: follow a link, save one, insert an operator, complete the name of an uploader, or submit
 * the form.
 */
export type SuggestionAction =
  | { link: LinkProps }
  | { save: string }
  | { operator: string }
  | { uploader: string }
  | { submit: true }

export interface Suggestion {
  key: string
  icon: ReactNode
  text: ReactNode
  /** Shown after the text in a quieter colour. */
  detail?: ReactNode
  action: SuggestionAction
}

export interface SuggestionGroup {
  /** Null: no heading. */
  title: string | null
  suggestions: Suggestion[]
}

/** How many of the viewer's bookmarks of a video are named. */
const maxOwn = 3

type SuggestedVideo = Suggestions['videos'][number]

const iconClass = 'size-5 shrink-0 text-quiet'

/** The viewer's bookmark of the video of a link. */
type OwnBookmark = Reply<typeof findOwnBookmarksByUrl>['bookmarks'][number]

/** What is known about the video of a link. */
interface KnownVideo {
  /** The viewer's bookmarks of it. */
  own: readonly OwnBookmark[]
  /** A public bookmark of it; null: none. */
  shared: { id: number; title: string } | null
}

/** Returns what can be done with a pasted link: open what the viewer saved, save it, and watch it if others saved it. */
export function linkGroups(
  link: string,
  { own, shared }: KnownVideo,
  isSignedIn: boolean,
): SuggestionGroup[] {
  const save: Suggestion = {
    key: 'save',
    icon: <Bookmark className={iconClass} />,
    text: own.length === 0 ? 'Save this video' : 'Save it to another collection',
    detail: link,
    action: { save: link },
  }
  const saved = own.slice(0, maxOwn).map(
    ({ id, collection, channel, created_at }): Suggestion => ({
      key: `own ${id}`,
      icon: <BookmarkCheck className={iconClass} />,
      text: (
        <>
          You saved this on {formatDate(created_at)} in {destinationName(collection, channel)}
        </>
      ),
      detail: 'Open',
      action: { link: { to: '/bookmarks/$id', params: { id: String(id) } } },
    }),
  )
  if (saved.length > 0) return [{ title: null, suggestions: [...saved, save] }]
  if (shared === null) return [{ title: null, suggestions: [save] }]
  const watch: Suggestion = {
    key: 'watch',
    icon: <Play className={iconClass} />,
    text: `Watch “${shared.title || 'Untitled Bookmark'}”`,
    action: { link: { to: '/bookmarks/$id', params: { id: String(shared.id) } } },
  }
  return [{ title: null, suggestions: isSignedIn ? [save, watch] : [watch, save] }]
}

/** Returns the uploaders that begin with what was typed after `channel:`. */
export function uploaderGroups(prefix: string, found: Suggestions | undefined): SuggestionGroup[] {
  const mark = createBeginningRenderer(prefix)
  const suggestions = (found?.uploaders ?? []).map(
    ({ name }): Suggestion => ({ ...uploaderSuggestion(name, mark), action: { uploader: name } }),
  )
  return suggestions.length === 0 ? [] : [{ title: uploadersTitle, suggestions }]
}

const uploadersTitle = 'Uploaders'

function uploaderSuggestion(name: string, mark: (text: string) => ReactNode): Suggestion {
  return {
    key: `uploader ${name}`,
    icon: <Clapperboard className={iconClass} />,
    text: mark(name),
    action: { link: { to: '/explore', search: { q: uploaderTerm(name) } } },
  }
}

/** Returns the suggestions for a text, grouped by kind. The last one searches for the text as it is. */
export function suggestionGroups(
  text: string,
  caret: number,
  found: Suggestions | undefined,
  username: string | null,
): SuggestionGroup[] {
  const mark = createBeginningRenderer(text)
  const search: Suggestion = {
    key: 'search',
    icon: <Search className={iconClass} />,
    text: `Search all for “${text.trim()}”`,
    action: { submit: true },
  }
  const operators = matchOperators(text, caret, username !== null).map(
    ({ operator, meaning }): Suggestion => ({
      key: `operator ${operator}`,
      icon: null,
      text: <code className="font-medium">{operator}</code>,
      detail: meaning,
      action: { operator },
    }),
  )
  const groups: SuggestionGroup[] = [
    ...foundGroups(found, mark, username),
    { title: 'Operators', suggestions: operators },
    { title: null, suggestions: [search] },
  ]
  return groups.filter(({ suggestions }) => suggestions.length > 0)
}

const nothingFound: Suggestions = { tags: [], users: [], uploaders: [], collections: [], videos: [], own: [] }

function foundGroups(
  { tags, users, uploaders, collections, videos, own }: Suggestions = nothingFound,
  mark: (text: string) => ReactNode,
  username: string | null,
): SuggestionGroup[] {
  const video = ({ id, title, thumbnail_url, orientation }: SuggestedVideo, detail: ReactNode) => ({
    key: `video ${id}`,
    icon: <SuggestedPicture src={thumbnail_url} title={title} orientation={orientation} />,
    text: mark(title || 'Untitled Bookmark'),
    detail,
    action: { link: { to: '/bookmarks/$id', params: { id: String(id) } } } as const,
  })
  return [
    {
      title: 'Yours',
      suggestions: own.map((item) =>
        video(
          item,
          <span className="flex items-center gap-1.5">
            {!item.is_public && <PrivateMark />}
            <span className="truncate">{item.collection_name}</span>
            <span className="shrink-0">
              · <RelativeTime time={item.created_at} />
            </span>
          </span>,
        ),
      ),
    },
    {
      title: 'Collections',
      suggestions: collections.map(({ id, name, access, user_username }) => ({
        key: `collection ${id}`,
        icon: <FolderHeart className={iconClass} />,
        text: mark(name),
        detail: access === 'private' ? <PrivateMark /> : user_username,
        action: { link: { to: '/collections/$id', params: { id: String(id) } } },
      })),
    },
    {
      title: 'Everyone',
      suggestions: videos
        .filter(({ user_username }) => user_username !== username)
        .map((item) => video(item, item.user_username)),
    },
    {
      title: 'People',
      suggestions: users.map(({ username, avatar_url }) => ({
        key: `user ${username}`,
        icon: <Avatar src={avatar_url} size="sm" />,
        text: mark(username),
        action: { link: { to: '/users/$username', params: { username } } },
      })),
    },
    { title: uploadersTitle, suggestions: uploaders.map(({ name }) => uploaderSuggestion(name, mark)) },
    {
      title: 'Tags',
      suggestions: tags.map(({ name, uses_count }) => ({
        key: `tag ${name}`,
        icon: <Tag className={iconClass} />,
        text: mark(name),
        detail: uses_count > 0 ? pluralise(uses_count, 'bookmark') : <PrivateMark />,
        // A tag of private bookmarks only leads to those.
        action: {
          link: {
            to: '/explore',
            search: uses_count > 0 ? { tag: name } : { tag: name, access: 'private' },
          },
        },
      })),
    },
  ]
}

/** The thumbnail of a suggested video; concealed until the viewer confirms their age if the video is adult content. */
function SuggestedPicture({
  src,
  title,
  orientation,
}: {
  src: string | null
  title: string
  orientation: Orientation
}) {
  const isCovered = useIsAdultCovered(orientation)
  return (
    <ThumbnailFrame src={isCovered ? null : src} title={title} className="w-14 shrink-0 rounded-chip" eager />
  )
}
