import {
  type Bookmark,
  getBookmark,
  type SaveInput,
  saveBookmark,
  saveBookmarkManually,
} from '@reelmark/contract/bookmarks.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../../core/auth/session.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { dependOn } from '../../../core/http/visitor-cache.ts'
import { ownHosts } from '../../../core/video-links/entered-links.ts'
import { isShortLink } from '../../../core/video-links/short-links.ts'
import { fetchThumbnailJob } from '../../../shared/thumbnails.ts'
import type { ViewerMarks } from '../../../shared/viewer-marks.ts'
import { bookmarkParts, currentRules, screenContent } from '../../moderation/public-api.ts'
import {
  announceBookmark,
  notifyBookmarked,
  notifyMentionsInDescription,
} from '../../notifications/public-api.ts'
import { loadBookmarkReply, loadCurrentBookmark } from '../bookmark-reply.ts'
import { requestMetadata } from '../metadata/request-queries.ts'
import { readDefaultAccess, saveBookmarkInTransaction } from './queries.ts'
import { buildSave } from './rules.ts'

export function registerBookmarks(app: FastifyInstance): void {
  const { deps } = app
  mount(
    app,
    getBookmark,
    async ({ input, readDb, viewer }) => {
      const bookmark = await loadCurrentBookmark(deps, readDb, input.params.id, viewer)
      dependOn([`video:${bookmark.video.id}`])
      app.viewedVideos.add(bookmark.video.id)
      return bookmark
    },
    {
      cacheForVisitors: true,
      personalize: {
        isShared: (bookmark, { viewer }) => bookmark.user.id !== viewer.id,
        marks: {
          videoIds: ({ video }) => [video.id],
          add: (bookmark, [marks]: ViewerMarks[]) => ({ ...bookmark, ...marks }),
        },
      },
    },
  )
  for (const endpoint of [saveBookmark, saveBookmarkManually]) {
    mount(app, endpoint, ({ input, viewer, tx }) => save(deps, tx, viewer, input.body), {
      limit: 'save',
      changes: ({ viewer, reply }) => ['listing', `video:${reply.video.id}`, `user:${viewer.id}`],
    })
  }
}

/** Saves a bookmark with its video, and queues the job that fetches the picture. */
async function save(deps: Deps, tx: TransactionSql, viewer: Viewer, input: SaveInput): Promise<Bookmark> {
  const access = input.bookmark.access ?? (await readDefaultAccess(tx, viewer.id))
  const planned = buildSave(input, ownHosts(deps.settings.publicUrl), access)
  const hold_reason = screenContent(await currentRules(deps.db, tx), bookmarkParts(planned, input))
  const { id, video } = await saveBookmarkInTransaction(
    tx,
    viewer.id,
    { ...planned, bookmark: { ...planned.bookmark, hold_reason } },
    input.bookmark,
  )
  const saved = { actor_id: viewer.id, video_id: video.id, bookmark_id: id }
  await notifyBookmarked(tx, saved)
  await announceBookmark(tx, deps.jobs, saved)
  await notifyMentionsInDescription(tx, saved, input.video.description ?? '')
  if (video.wants_picture) await deps.jobs.send(tx, fetchThumbnailJob, { video_id: video.id })
  if (video.own.thumbnail_state === 'pending')
    await deps.jobs.send(tx, fetchThumbnailJob, { bookmark_id: id })
  // The form resolves short links before it saves; programs do not.
  if (isShortLink(input.video.source_url))
    await requestMetadata(tx, null, [{ bookmark_id: id, link_title: null }])
  return loadBookmarkReply(deps, tx, id, viewer)
}
