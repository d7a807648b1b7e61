/** Collecting what others keep, finding what one keeps oneself, Watch Later, and what was watched. */
import {
  clearWatched,
  collectBookmark,
  collectChannel,
  collectCollection,
  findSaved,
  markWatched,
  toggleWatchLater,
  unmarkWatched,
} from '@reelmark/contract/collecting.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { InvalidFields } from '../../core/errors.ts'
import { lockWatchLater } from '../collections/cards.ts'
import { notifyBookmarked } from '../notifications/notify.ts'
import { currentRules } from '../screening/cards.ts'
import { answerBookmark } from './answer.ts'
import * as collecting from './collecting.ts'
import { identify } from './rules.ts'

const collectingAll = { limit: 'collect-all' } as const
const marking = { limit: 'mark' } as const

export function registerCollecting(app: FastifyInstance): void {
  const { deps } = app
  const { db } = deps

  mount(
    app,
    collectBookmark,
    async ({ input: { body }, viewer, tx }) => {
      const rules = await currentRules(db, tx)
      const place = await collecting.lockTarget(tx, viewer.id, body)
      const id = await collecting.collectBookmark(tx, viewer, body.bookmark, place, rules)
      const bookmark = await answerBookmark(deps, tx, id, viewer)
      await notifyBookmarked(tx, { actor_id: viewer.id, video_id: bookmark.video.id, bookmark_id: id })
      return bookmark
    },
    { limit: 'save' },
  )

  mount(
    app,
    collectCollection,
    async ({ input: { params, body }, viewer, tx }) =>
      collecting.collectAll(tx, viewer, { collection: params.id }, body, await currentRules(db, tx)),
    collectingAll,
  )

  mount(
    app,
    collectChannel,
    async ({ input: { params, body }, viewer, tx }) =>
      collecting.collectAll(tx, viewer, { channel: params.id }, body, await currentRules(db, tx)),
    collectingAll,
  )

  mount(app, findSaved, async ({ input: { query }, viewer }) => ({
    bookmarks: await collecting.findSaved(db, viewer.id, canonicalUrl(query.url)),
  }))

  mount(
    app,
    toggleWatchLater,
    async ({ input: { params }, viewer, tx }) => {
      const collection_id = await lockWatchLater(tx, viewer.id)
      const bookmark_id = await collecting.toggleWatchLater(tx, viewer.id, params.id, collection_id)
      return { is_in_watch_later: bookmark_id !== null, collection_id, bookmark_id }
    },
    marking,
  )

  mount(
    app,
    markWatched,
    async ({ input: { params }, viewer }) => {
      await collecting.markWatched(db, viewer.id, params.id)
      return { is_watched: true }
    },
    marking,
  )

  mount(
    app,
    unmarkWatched,
    async ({ input: { params }, viewer }) => {
      await collecting.unmarkWatched(db, viewer.id, params.id)
      return { is_watched: false }
    },
    marking,
  )

  mount(
    app,
    clearWatched,
    async ({ viewer }) => ({ cleared: await collecting.clearWatched(db, viewer.id) }),
    marking,
  )
}

/** @throws InvalidFields at `url` for what is no link. */
function canonicalUrl(link: string): string {
  try {
    return identify(link).identity.canonical_url
  } catch (error) {
    if (error instanceof InvalidFields) throw new InvalidFields({ url: ['Enter a valid URL.'] })
    throw error
  }
}
