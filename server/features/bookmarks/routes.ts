import {
  type Bookmark,
  getBookmark,
  type SaveInput,
  saveBookmark,
  saveBookmarkManually,
} from '@reelmark/contract/bookmarks.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../app.ts'
import type { TransactionSql } from '../../core/database.ts'
import { mount } from '../../core/endpoints.ts'
import type { Viewer } from '../../core/session.ts'
import { notifyBookmarked } from '../notifications/notify.ts'
import { currentRules, partsOfSave, screen } from '../screening/cards.ts'
import { answerBookmark } from './answer.ts'
import { fetchThumbnail } from './jobs.ts'
import { keepBookmark } from './queries.ts'
import { ownHosts, planSave } from './rules.ts'

export function registerBookmarks(app: FastifyInstance): void {
  const { deps } = app
  mount(app, getBookmark, ({ input, viewer }) => answerBookmark(deps, deps.db, input.params.id, viewer), {
    sameForVisitors: true,
  })
  for (const endpoint of [saveBookmark, saveBookmarkManually]) {
    mount(app, endpoint, ({ input, viewer, tx }) => save(deps, tx, viewer, input.body), { limit: 'save' })
  }
}

/** Saves a bookmark with its video, and queues the job that fetches the picture. */
async function save(deps: Deps, tx: TransactionSql, viewer: Viewer, input: SaveInput): Promise<Bookmark> {
  const planned = planSave(input, ownHosts(deps.settings.publicUrl))
  const held_for = screen(await currentRules(deps.db, tx), partsOfSave(planned))
  const bookmark = { ...planned.bookmark, held_for }
  const { id, video } = await keepBookmark(tx, viewer.id, { ...planned, bookmark }, input.bookmark)
  await notifyBookmarked(tx, { actor_id: viewer.id, video_id: video.id, bookmark_id: id })
  if (video.wants_picture) await deps.jobs.send(tx, fetchThumbnail, { video_id: video.id })
  return answerBookmark(deps, tx, id, viewer)
}
