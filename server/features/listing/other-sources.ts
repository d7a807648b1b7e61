/** Other links to what seems to be the same work, for videos that are gone (docs/decisions/0076-video-health.md). */
import { type ListingItem, listOtherSources } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, inlineNumber } from '../../core/database/database.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { uploaderName } from '../../shared/bookmark-columns.ts'
import { isMissing } from '../../shared/missing-videos.ts'
import { andNotBlockedByOwner, andNotHidden } from '../../shared/user-visibility.ts'
import { canSeeBookmark, isListed } from '../../shared/visibility.ts'
import { cardColumns } from './card-columns.ts'

export function registerOtherSources(app: FastifyInstance): void {
  mount(app, listOtherSources, async ({ input: { params }, readDb, viewer }) => {
    const work = await readWork(readDb, params.id, viewer)
    if (work === null) throw new ApiError('not-found')
    const results = work.duration === null ? [] : await findOtherSources(readDb, work, viewer)
    return { count: results.length, next: null, previous: null, results }
  })
}

interface Work {
  video_id: number
  title: string
  duration: number | null
  orientation: string
  host: string
  uploader: string | null
}

/** How many seconds the durations of two copies of a work may differ: sites round them differently. */
const durationTolerance = 2
/** How many bookmarks whose titles begin with the same 40 characters are compared: the index has no more of them. */
const maxCompared = 100

/**
 * Returns what the copies of a video are found by; null if the viewer may not see the bookmark. A link-only video has only the
 * name of its host as title, so no copy is found.
 */
async function readWork(db: Db, id: number, viewer: Viewer | null): Promise<Work | null> {
  const [work] = await db<Work[]>`
    select b.video_id, b.title, b.effective_orientation as orientation, v.host, uploader_key(${uploaderName(db)}) as uploader,
           case when not v.is_link_only then b.effective_duration end as duration
      from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and ${canSeeBookmark(db, viewer)} ${andNotBlockedByOwner(db, db`b.user_id`, viewer)}`
  return work ?? null
}

/**
 * Returns listed bookmarks of other videos that are not gone and have the same title, ignoring case, and the same duration. Of the
 * same orientation, so that adult content is never shown next to other content, and not by another uploader of the same host; other
 * hosts may name the uploader differently. Those of an uploader with the same name come first, then those with the most saves.
 */
function findOtherSources(
  db: Db,
  { video_id, title, duration, orientation, host, uploader }: Work,
  viewer: Viewer | null,
): Promise<ListingItem[]> {
  return db<ListingItem[]>`
    with titled as materialized (
      select b.id, b.user_id, b.video_id, b.effective_duration, b.effective_orientation from bookmarks b
       where ${isListed(db)} and title_sort_key(b.title) collate "C" = title_sort_key(${title}) collate "C"
       order by b.id limit ${inlineNumber(db, maxCompared)}
    )
    select ${cardColumns(db, viewer?.id ?? null)}
      from titled f join bookmarks b on b.id = f.id join videos v on v.id = b.video_id join users u on u.id = b.user_id,
           lateral (select uploader_key(${uploaderName(db)}) as uploader) other
     where f.video_id <> ${video_id} and lower(b.title) = lower(${title}) and f.effective_orientation = ${orientation}
       and (v.host <> ${host} or other.uploader is not distinct from ${uploader} or other.uploader is null or ${uploader}::text is null)
       and abs(f.effective_duration - ${duration}::int) <= ${durationTolerance} and not ${isMissing(db)}
       ${andNotHidden(db, db`f.user_id`, viewer, { muted: true })}
     order by coalesce(other.uploader = ${uploader}, false) desc, v.saves_count desc, b.id limit ${inlineNumber(db, limits.similarMax)}`
}
