/**
 * Who may learn that a video is gone (docs/decisions/0076-video-health.md). A video is checked for all who saved it. Those who
 * saved it after a check failed must not learn from it that another user saved it before, unless that is public.
 */
import { linkDeclineDays } from '@reelmark/contract/protocol/limits.ts'
import { type Db, type Fragment, inlineNumber } from '../core/database/database.ts'

/** Bookmarks `b` of videos `v` that are gone. */
export function isMissing(db: Db): Fragment {
  return db`coalesce(${firstKnownBookmark(db)} <= v.missing_confirmed_bookmark_id, false)`
}

/** The same condition without joining videos. */
export function isOfMissingVideo(db: Db): Fragment {
  return db`exists (select from videos v where v.id = b.video_id and v.missing_since is not null and ${isMissing(db)})`
}

/** A condition that bookmarks of gone videos match, by a list of these videos. */
export function mayBeOfMissingVideo(db: Db): Fragment {
  return db`b.video_id = any (array(select v.id from videos v where v.missing_since is not null))`
}

/** Since when the video `v` of bookmarks `b` is gone; null if it is not, or if it was gone before it was saved. */
export function missingSince(db: Db): Fragment {
  return db`case when ${isMissing(db)} and ${firstKnownBookmark(db)} <= v.missing_since_bookmark_id then v.missing_since end`
}

/** The earliest bookmark of the video that those who see `b` know of: itself, or the public one that leads. */
function firstKnownBookmark(db: Db): Fragment {
  return db`least(b.id, v.lead_bookmark_id)`
}

/** How long savers can return to the link that the replacement `l` replaced. */
export function declineLinkUntil(db: Db): Fragment {
  return db`(l.agreed_at + make_interval(days => ${inlineNumber(db, linkDeclineDays)}))`
}
