/**
 * The filters of lists of bookmarks, as addresses and stored searches contain them. Every filter has an operator with the
 * same meaning (search-terms.ts), except `collection`, `channel` and `orientation`.
 */
import * as t from 'typebox'
import { BookmarkAccess, Id, orientationFilters } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const Duration = t.Integer({ minimum: 0, maximum: limits.durationMax })
/** A day, month or year in UTC: `2025-01-31`, `2025-01` or `2025`. */
const SavedDate = t.String({ maxLength: 10 })

export const bookmarkFilters = {
  /** Search: every term must match. Its syntax is in search-terms.ts and docs/behaviour.md (Lists and search). */
  q: t.Optional(t.String({ maxLength: limits.searchMax })),
  orientation: t.Optional(t.Enum(orientationFilters, { default: 'all' })),
  tag: t.Optional(t.String({ maxLength: limits.tagMax })),
  collection: t.Optional(Id),
  channel: t.Optional(Id),
  /** A site, with its subdomains; the same as `site:x` in a search. */
  host: t.Optional(t.String({ maxLength: limits.hostMax })),
  /** In seconds. Videos of unknown duration match neither. */
  min_duration: t.Optional(Duration),
  max_duration: t.Optional(Duration),
  /** Saved on that date or later. */
  saved_after: t.Optional(SavedDate),
  /** Saved before that date. */
  saved_before: t.Optional(SavedDate),
  /** Whether the viewer has watched the video. */
  watched: t.Optional(t.Boolean()),
  /** `private` lists the viewer's own private bookmarks only; `public` leaves them out. */
  access: t.Optional(BookmarkAccess),
  /** This and the next two, if true, list the viewer's own bookmarks only. */
  untagged: t.Optional(t.Boolean()),
  no_picture: t.Optional(t.Boolean()),
  no_player: t.Optional(t.Boolean()),
}

export const BookmarkFilters = t.Object(bookmarkFilters, { additionalProperties: false })
export type BookmarkFilters = t.Static<typeof BookmarkFilters>
