import {
  type Bookmark,
  getBookmark,
  type SaveInput,
  saveBookmark,
  saveBookmarkManually,
} from '@reelmark/contract/bookmarks.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../app.ts'
import { mount } from '../../core/endpoints.ts'
import type { Viewer } from '../../core/session.ts'
import { notifyBookmarked, notifying } from '../notifications/notify.ts'
import { currentRules, partsOfSave, screen } from '../screening/cards.ts'
import { answerBookmark, embedKey } from './answer.ts'
import { fetchThumbnail } from './jobs.ts'
import { keepBookmark } from './queries.ts'
import { ownHosts, planSave } from './rules.ts'

export function registerBookmarks(app: FastifyInstance): void {
  const { deps } = app
  mount(app, getBookmark, ({ input, viewer }) => answerBookmark(deps, deps.db, input.params.id, viewer), {
    sameForVisitors: true,
  })
  for (const endpoint of [saveBookmark, saveBookmarkManually]) {
    mount(app, endpoint, ({ input, viewer }) => save(deps, viewer, input.body), { limit: 'save' })
  }
}

/** One short transaction: the place, the video, the bookmark and the job that fetches the picture, or none of them. */
async function save(deps: Deps, viewer: Viewer, input: SaveInput): Promise<Bookmark> {
  const planned = planSave(input, ownHosts(deps.settings.publicUrl))
  const hold_reason = screen(await currentRules(deps.db), partsOfSave(planned, input))
  // Not first inside the transaction: where every connection is in one, none is left to read it by.
  await embedKey(deps)
  return notifying(deps.db, async (tx) => {
    const bookmark = { ...planned.bookmark, hold_reason }
    const { id, video } = await keepBookmark(tx, viewer.id, { ...planned, bookmark }, input.bookmark)
    await notifyBookmarked(tx, { actor_id: viewer.id, video_id: video.id, bookmark_id: id })
    if (video.wants_picture) await deps.jobs.send(tx, fetchThumbnail, { video_id: video.id })
    if (video.own.thumbnail_source_url !== null) await deps.jobs.send(tx, fetchThumbnail, { bookmark_id: id })
    return answerBookmark(deps, tx, id, viewer)
  })
}
