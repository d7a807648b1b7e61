import {
  type Bookmark,
  getBookmark,
  type SaveInput,
  saveBookmark,
  saveBookmarkManually,
} from '@reelmark/contract/bookmarks.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Deps } from '../../../core/deps.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { bookmarkParts, currentRules, screenContent } from '../../moderation/content-rules/screen-content.ts'
import { notifyBookmarked, withNotifications } from '../../notifications/notify.ts'
import { loadBookmarkReply, loadEmbedKey } from '../bookmark-reply.ts'
import { fetchThumbnailJob } from '../thumbnails/jobs.ts'
import { saveBookmarkInTransaction } from './queries.ts'
import { buildSave, ownHosts } from './rules.ts'

export function registerBookmarks(app: FastifyInstance): void {
  const { deps } = app
  mount(app, getBookmark, ({ input, viewer }) => loadBookmarkReply(deps, deps.db, input.params.id, viewer), {
    cacheForVisitors: true,
  })
  for (const endpoint of [saveBookmark, saveBookmarkManually]) {
    mount(app, endpoint, ({ input, viewer }) => save(deps, viewer, input.body), { limit: 'save' })
  }
}

/** One short transaction: the place, the video, the bookmark and the job that fetches the picture, or none of them. */
async function save(deps: Deps, viewer: Viewer, input: SaveInput): Promise<Bookmark> {
  const planned = buildSave(input, ownHosts(deps.settings.publicUrl))
  const held_for = screenContent(await currentRules(deps.db), bookmarkParts(planned))
  // Not first inside the transaction: where every connection is in one, none is left to read it by.
  await loadEmbedKey(deps)
  return withNotifications(deps.db, async (tx) => {
    const bookmark = { ...planned.bookmark, held_for }
    const { id, video } = await saveBookmarkInTransaction(
      tx,
      viewer.id,
      { ...planned, bookmark },
      input.bookmark,
    )
    await notifyBookmarked(tx, { actor_id: viewer.id, video_id: video.id, bookmark_id: id })
    if (video.wants_picture) await deps.jobs.send(tx, fetchThumbnailJob, { video_id: video.id })
    return loadBookmarkReply(deps, tx, id, viewer)
  })
}
