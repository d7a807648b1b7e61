/** The state of what an import created, by which an undo recognises what was changed since. */
import type { ImportRowKind } from '@reelmark/contract/imports.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { isNotTrashed } from '../../shared/visibility.ts'
import type { ReportItem } from './import-report.ts'

/** What an import creates. The others have no row of their own. */
export type CreatedKind = Exclude<ImportRowKind, 'subscription' | 'profile'>

/**
 * For each kind a select of `id` and `state` of rows of a user. The id is that of `created_id` in the report. What a job filled
 * in after the import does not change the state of a bookmark.
 */
const states: Record<CreatedKind, (db: Db, userId: number, ids: readonly number[]) => Fragment> = {
  bookmark: (db, userId, ids) => db`
    select b.id, md5(jsonb_build_array(b.collection_id, b.channel_id,
                                       case when b.title = r.filled_title then r.link_title else b.title end,
                                       b.description, b.tags, b.access, b.orientation, b.private_note, b.start_seconds,
                                       nullif(b.embed_url, r.filled_embed_url),
                                       nullif(b.thumbnail_source_url, r.filled_thumbnail_source_url),
                                       b.thumbnail_is_uploaded and not ${hasImportedPicture(db)})::text) as state
      from bookmarks b left join metadata_requests r on r.bookmark_id = b.id
     where b.id = any (${ids}::bigint[]) and b.user_id = ${userId} and ${isNotTrashed(db)}`,
  collection: (db, userId, ids) => db`
    select c.id, md5(jsonb_build_array(c.name, c.description, c.access, c.list_order, c.cover_bookmark_id,
                                       exists (select from collection_links l where l.collection_id = c.id))::text) as state
      from collections c where c.id = any (${ids}::bigint[]) and c.user_id = ${userId}`,
  channel: (db, userId, ids) => db`
    select ch.id, md5(jsonb_build_array(ch.collection_id, ch.name, ch.description, ch.list_order,
                                        ch.cover_bookmark_id)::text) as state
      from channels ch join collections c on c.id = ch.collection_id and c.user_id = ${userId}
     where ch.id = any (${ids}::bigint[])`,
  smart_collection: (db, userId, ids) => db`
    select s.id, md5(jsonb_build_array(s.name, s.description, s.access, s.query)::text) as state
      from smart_collections s where s.id = any (${ids}::bigint[]) and s.user_id = ${userId} and ${isNotTrashed(db, 's')}`,
  timed_note: (db, userId, ids) => db`
    select id, ${moment(db, db`updated_at`)} as state from timed_notes
     where id = any (${ids}::bigint[]) and user_id = ${userId}`,
  like: (db, userId, ids) => db`
    select video_id as id, ${moment(db, db`created_at`)} as state from likes
     where user_id = ${userId} and video_id = any (${ids}::bigint[])`,
  history: (db, userId, ids) => db`
    select video_id as id, ${moment(db, db`watched_at`)} as state from watched_videos
     where user_id = ${userId} and video_id = any (${ids}::bigint[])`,
  position: (db, userId, ids) => db`
    select video_id as id, ${moment(db, db`updated_at`)} || ' ' || seconds as state from playback_positions
     where user_id = ${userId} and video_id = any (${ids}::bigint[])`,
  follow: (db, userId, ids) => db`
    select followee_id as id, ${moment(db, db`created_at`)} as state from follows
     where follower_id = ${userId} and followee_id = any (${ids}::bigint[])`,
  block: (db, userId, ids) => db`
    select blocked_id as id, ${moment(db, db`created_at`)} as state from blocks
     where blocker_id = ${userId} and blocked_id = any (${ids}::bigint[])`,
  followed_collection: timesOf('followed_lists'),
  followed_tag: timesOf('followed_lists'),
  muted_user: timesOf('mutes'),
  muted_tag: timesOf('mutes'),
}

/** Whether the uploaded picture of bookmarks `b` is that of the file of an import. */
function hasImportedPicture(db: Db): Fragment {
  return db`exists (select from import_pictures p
                     where p.bookmark_id = b.id and p.data is null and p.hash is not distinct from b.thumbnail_hash)`
}

/** Returns the select for rows that do not change after they were created. */
function timesOf(table: 'followed_lists' | 'mutes') {
  return (db: Db, userId: number, ids: readonly number[]): Fragment => db`
    select id, ${moment(db, db`created_at`)} as state from ${db(table)}
     where id = any (${ids}::bigint[]) and user_id = ${userId}`
}

/** A time as text that does not depend on the settings of the connection. */
function moment(db: Db, time: Fragment): Fragment {
  return db`extract(epoch from ${time})::text`
}

/** Returns the states of those of a user's rows that exist. */
export async function readStates(
  db: Db,
  userId: number,
  kind: CreatedKind,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db<{ id: number; state: string }[]>`${states[kind](db, userId, ids)}`
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** Returns what a list of a report created, by kind. */
export function groupCreated<Item extends Pick<ReportItem, 'kind' | 'created_id'>>(
  items: readonly Item[],
): Map<CreatedKind, (Item & { created_id: number })[]> {
  const created = items.filter((item): item is Item & { created_id: number } => item.created_id !== undefined)
  return Map.groupBy(created, ({ kind }) => kind as CreatedKind)
}

/** Adds to each item the state of what it created. */
export async function addStates(db: Db, userId: number, items: readonly ReportItem[]): Promise<ReportItem[]> {
  const stateByKind = new Map<ImportRowKind, Map<number, string>>()
  for (const [kind, created] of groupCreated(items)) {
    stateByKind.set(
      kind,
      await readStates(
        db,
        userId,
        kind,
        created.map(({ created_id }) => created_id),
      ),
    )
  }
  return items.map((item) => {
    const state = item.created_id === undefined ? undefined : stateByKind.get(item.kind)?.get(item.created_id)
    return state === undefined ? item : { ...item, created_state: state }
  })
}
