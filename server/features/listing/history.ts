/** The videos that a user watched, latest first. */

import { type HistoryItem, listHistory } from '@reelmark/contract/history.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import {
  cursorKey,
  cursorPage,
  type PageRequest,
  parsePageRequest,
  timeOrderedPage,
} from '../../core/http/cursor-paging.ts'
import { mount } from '../../core/http/endpoints.ts'
import { splitCount } from '../../core/http/paging.ts'
import { andNotHidden } from '../../shared/user-visibility.ts'
import { isNotRemoved, isNotTrashed, isShownVideo, isVisibleVideo } from '../../shared/visibility.ts'
import { cardColumns } from './card-columns.ts'
import { estimateFromIds } from './watched-counts.ts'

export function registerHistory(app: FastifyInstance): void {
  const { db } = app.deps
  mount(app, listHistory, async ({ input, viewer }) => {
    const request = parsePageRequest(input.query)
    const { count, rows } = await readHistory(db, viewer, request)
    const page = cursorPage(listHistory, input, request, count, rows)
    return {
      ...page,
      ...(count > limits.exactCountMax ? { count_is_estimate: true } : {}),
      results: page.results.map(({ bookmark_id, ...item }) => ({ ...item, id: bookmark_id })),
    }
  })
}

/** `id` is the video's, because the list is ordered by time and video. */
type HistoryRow = HistoryItem & { bookmark_id: number; key: number }

/**
 * `join … where …`: the videos `v` that the viewer marked and may still see, each with the bookmark `b` that represents it, the
 * viewer's own or else its lead bookmark, and its owner `u`.
 * @param videoId the column of the mark that contains the video's id
 */
export function markedVideos(db: Db, viewer: Viewer, videoId: Fragment): Fragment {
  return db`join videos v on v.id = ${videoId}
    join bookmarks b on b.id = coalesce(
      (select own.id from bookmarks own
        where own.user_id = ${viewer.id} and own.video_id = v.id and ${isNotTrashed(db, 'own')} order by own.id limit 1),
      case when ${isShownVideo(db)} then v.lead_bookmark_id end)
    join users u on u.id = b.user_id
   where ${isNotRemoved(db)} ${andNotHidden(db, db`b.user_id`, viewer)}`
}

/**
 * The condition that markedVideos() contains a marked video, for a viewer without blocks and mutes. Almost all are visible to everyone,
 * which an index of videos says without reading a bookmark.
 */
function hasShownBookmark(db: Db, viewer: Viewer, videoId: Fragment): Fragment {
  return db`coalesce(
    (select true from videos v where v.id = ${videoId} and ${isVisibleVideo(db)}),
    (select true from videos v where v.id = ${videoId} and ${isNotRemoved(db)} and exists (
      select from bookmarks own
       where own.user_id = ${viewer.id} and own.video_id = v.id and ${isNotTrashed(db, 'own')} offset 0)))`
}

/** Reads a page and one row more. */
async function readHistory(
  db: Db,
  viewer: Viewer,
  request: PageRequest,
): Promise<{ count: number; rows: HistoryRow[] }> {
  const watched = db`
    from watched_videos w ${markedVideos(db, viewer, db`w.video_id`)} and w.user_id = ${viewer.id}`
  const exactly = (rows: Fragment) =>
    db`(select count(*) from (select ${rows} limit ${inlineNumber(db, limits.exactCountMax + 1)}) counted)`
  const shown = (range: Fragment) => db`
    from watched_videos w where w.user_id = ${viewer.id} ${range} and ${hasShownBookmark(db, viewer, db`w.video_id`)}`
  const count = viewer.has_blocks_or_mutes
    ? exactly(watched)
    : db`coalesce(${estimateFromIds(db, (range) => db`(select ${shown(range)}) shown`)}, ${exactly(shown(db``))})`
  const rows = await db<(HistoryItem & { key: number; count: number })[]>`
    select total.count, page.*
      from (select ${count}::int as count) total
      left join (
        select ${cardColumns(db, viewer.id)}, w.watched_at, ${cursorKey(db, db`w.watched_at`)} as key
          ${watched} ${timeOrderedPage(db, request, db`w.watched_at`, db`w.video_id`)}) page on true
     order by page.watched_at desc, page.video_id desc`
  const { count: total, results } = splitCount(rows)
  return { count: total, rows: results.map((row) => ({ ...row, bookmark_id: row.id, id: row.video_id })) }
}
