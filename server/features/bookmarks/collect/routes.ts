/** Endpoints for collecting bookmarks, finding own bookmarks by link, and Watch Later. */
import {
  collectBookmark,
  collectChannel,
  collectCollection,
  findOwnBookmarksByUrl,
  toggleWatchLater,
} from '@reelmark/contract/collect.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { canonicalUrl } from '../../../core/video-links/canonical-url.ts'
import { lockWatchLater } from '../../collections/public-api.ts'
import { currentRules } from '../../moderation/public-api.ts'
import { announceBookmark, notifyBookmarked } from '../../notifications/public-api.ts'
import { loadBookmarkReply } from '../bookmark-reply.ts'
import * as collecting from './collect-queries.ts'

const collectAllLimit = { limit: 'collect-all' } as const

export function registerCollect(app: FastifyInstance): void {
  const { deps } = app
  const { db, jobs } = deps

  mount(
    app,
    collectBookmark,
    async ({ input: { body }, viewer, tx }) => {
      const rules = await currentRules(db, tx)
      const destination = await collecting.lockDestination(tx, viewer.id, body)
      const id = await collecting.collectBookmark(tx, viewer, body, destination, { jobs, rules })
      const bookmark = await loadBookmarkReply(deps, tx, id, viewer)
      const saved = { actor_id: viewer.id, video_id: bookmark.video.id, bookmark_id: id }
      await notifyBookmarked(tx, saved)
      await announceBookmark(tx, jobs, saved)
      return bookmark
    },
    { limit: 'save' },
  )

  mount(
    app,
    collectCollection,
    async ({ input: { params, body }, viewer, tx }) =>
      collecting.collectAll(tx, viewer, { collection: params.id }, body, {
        jobs,
        rules: await currentRules(db, tx),
      }),
    collectAllLimit,
  )

  mount(
    app,
    collectChannel,
    async ({ input: { params, body }, viewer, tx }) =>
      collecting.collectAll(tx, viewer, { channel: params.id }, body, {
        jobs,
        rules: await currentRules(db, tx),
      }),
    collectAllLimit,
  )

  mount(app, findOwnBookmarksByUrl, async ({ input: { query }, viewer }) => {
    const url = parseLink(query.url)
    return {
      bookmarks: await collecting.findOwnBookmarksByUrl(db, viewer.id, url),
      others: await collecting.findOtherSaves(db, viewer, url),
    }
  })

  mount(
    app,
    toggleWatchLater,
    async ({ input: { params }, viewer, tx }) => {
      const collection_id = await lockWatchLater(tx, viewer.id)
      const bookmark_id = await collecting.toggleWatchLater(tx, viewer, params.id, collection_id, jobs)
      return { is_in_watch_later: bookmark_id !== null, collection_id, bookmark_id }
    },
    { limit: 'mark-watched' },
  )
}

/** Returns the canonical form of a link. @throws InvalidFields at `url` for an invalid link. */
function parseLink(link: string): string {
  const url = canonicalUrl(link)
  if (url === null) throw new InvalidFields({ url: ['Enter a valid URL.'] })
  return url
}
