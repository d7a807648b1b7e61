import { uploaderTerm } from '@reelmark/contract/search-terms.ts'
import type { Suggestions } from '@reelmark/contract/suggestions.ts'
import type { LinkProps } from '@tanstack/react-router'
import Bookmark from 'lucide-react/icons/bookmark'
import Clapperboard from 'lucide-react/icons/clapperboard'
import FolderHeart from 'lucide-react/icons/folder-heart'
import Play from 'lucide-react/icons/play'
import Search from 'lucide-react/icons/search'
import Tag from 'lucide-react/icons/tag'
import type { ReactNode } from 'react'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'
import { createBeginningRenderer } from './highlight-matches.tsx'
import { matchOperators } from './match-operators.ts'

/** What choosing a suggestion does: follow a link, insert an operator, complete the name of an uploader, or submit the form. */
export type SuggestionAction =
  | { link: LinkProps }
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
  /** Null for the first group, which has no heading. */
  title: string | null
  suggestions: Suggestion[]
}

const iconClass = 'size-5 shrink-0 text-quiet'

/** Returns what can be done with a pasted link: save it, and watch it if others saved it. Visitors watch first. */
export function linkGroups(
  link: string,
  known: { id: number; title: string } | null,
  isSignedIn: boolean,
): SuggestionGroup[] {
  const save: Suggestion = {
    key: 'save',
    icon: <Bookmark className={iconClass} />,
    text: 'Save this video',
    detail: link,
    action: { link: { to: '/bookmarks/create', search: { tab: 'url', url: link } } },
  }
  if (known === null) return [{ title: null, suggestions: [save] }]
  const watch: Suggestion = {
    key: 'watch',
    icon: <Play className={iconClass} />,
    text: `Watch “${known.title || 'Untitled Bookmark'}”`,
    action: { link: { to: '/bookmarks/$id', params: { id: String(known.id) } } },
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

/** Returns the suggestions for a text, grouped by kind. The first one searches for the text as it is. */
export function suggestionGroups(
  text: string,
  caret: number,
  found: Suggestions | undefined,
  isSignedIn: boolean,
): SuggestionGroup[] {
  const mark = createBeginningRenderer(text)
  const search: Suggestion = {
    key: 'search',
    icon: <Search className={iconClass} />,
    text: `Search for “${text.trim()}”`,
    action: { submit: true },
  }
  const operators = matchOperators(text, caret, isSignedIn).map(
    ({ operator, meaning }): Suggestion => ({
      key: `operator ${operator}`,
      icon: null,
      text: <code className="font-medium">{operator}</code>,
      detail: meaning,
      action: { operator },
    }),
  )
  const groups: SuggestionGroup[] = [
    { title: null, suggestions: [search] },
    { title: 'Operators', suggestions: operators },
    ...foundGroups(found, mark),
  ]
  return groups.filter(({ suggestions }) => suggestions.length > 0)
}

const noSuggestions: Suggestions = { tags: [], users: [], uploaders: [], collections: [], videos: [] }

function foundGroups(
  { tags, users, uploaders, collections, videos }: Suggestions = noSuggestions,
  mark: (text: string) => ReactNode,
): SuggestionGroup[] {
  return [
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
      title: 'Videos',
      suggestions: videos.map(({ id, title, thumbnail_url, user_username, is_public }) => ({
        key: `video ${id}`,
        icon: (
          <ThumbnailFrame src={thumbnail_url} title={title} className="w-14 shrink-0 rounded-chip" eager />
        ),
        text: mark(title),
        detail: is_public ? user_username : <PrivateMark />,
        action: { link: { to: '/bookmarks/$id', params: { id: String(id) } } },
      })),
    },
  ]
}
