import { splitTags } from '@reelmark/contract/bookmarks.ts'
import type { OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  findVideoByLink,
  getSuggestions,
  type Suggestions,
  suggestMentions,
  suggestUsers,
} from '@reelmark/contract/suggestions.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../../core/auth/session.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { dependOn } from '../../../core/http/visitor-cache.ts'
import { canonicalUrl } from '../../../core/video-links/canonical-url.ts'
import { normaliseTags } from '../../../shared/tag-names.ts'
import * as mentions from './mention-queries.ts'
import {
  findLeadByUrl,
  findOwnSuggestions,
  findPublicSuggestions,
  type SuggestionRequest,
} from './suggestion-queries.ts'
import { suggestUsersByTags } from './user-queries.ts'

export function registerSuggestions(app: FastifyInstance): void {
  const { db } = app.deps
  const addOwn = async (found: Suggestions, request: SuggestionRequest, viewer: Viewer) =>
    // From the primary, so that users find what they have just saved.
    addOwnSuggestions(found, await findOwnSuggestions(db, request, viewer))

  mount(
    app,
    getSuggestions,
    async ({ input: { query }, readDb, viewer }) => {
      const request = toRequest(query)
      const found = await findPublicSuggestions(readDb, request, viewer)
      dependOn(['listing', ...found.users.map(({ id }) => `user:${id}` as const)])
      return viewer === null ? found : addOwn(found, request, viewer)
    },
    {
      cacheForVisitors: true,
      personalize: {
        addOwn: (found, { input: { query }, viewer }) => addOwn(found, toRequest(query), viewer),
      },
    },
  )

  mount(app, suggestMentions, async ({ input: { query }, readDb, viewer }) => ({
    users: await mentions.suggestMentions(readDb, { text: query.q, videoId: query.video ?? null }, viewer),
  }))

  mount(app, suggestUsers, async ({ input: { query }, readDb, viewer }) => {
    const tags = normaliseTags(splitTags(query.tags)).slice(0, limits.pickedTagsMax)
    if (tags.length === 0) return { users: [] }
    return {
      users: await suggestUsersByTags(readDb, { tags, sfwOnly: query.orientation === 'sfw' }, viewer),
    }
  })

  mount(app, findVideoByLink, async ({ input: { query }, readDb, viewer }) => {
    const url = canonicalUrl(query.url)
    return { bookmark: url === null ? null : await findLeadByUrl(readDb, url, viewer) }
  })
}

function toRequest({
  q,
  orientation = 'all',
}: {
  q: string
  orientation?: OrientationFilter
}): SuggestionRequest {
  return { text: q, orientation: orientation === 'all' ? null : orientation }
}

/** Adds the viewer's own suggestions before those that everyone gets. */
function addOwnSuggestions(found: Suggestions, own: Suggestions): Suggestions {
  const shownUsers = new Set(found.users.map(({ id }) => id))
  const ownUploaders = new Set(own.uploaders.map(({ name }) => name))
  const ownTags = new Set(own.tags.map(({ name }) => name))
  const first = <T>(items: T[]) => items.slice(0, limits.suggestionsMax)
  return {
    tags: first([...own.tags, ...found.tags.filter(({ name }) => !ownTags.has(name))]),
    uploaders: first([...own.uploaders, ...found.uploaders.filter(({ name }) => !ownUploaders.has(name))]),
    users: first([...found.users, ...own.users.filter(({ id }) => !shownUsers.has(id))]),
    collections: first([...own.collections, ...found.collections]),
    videos: first([...own.videos, ...found.videos]),
    own: own.own,
  }
}
