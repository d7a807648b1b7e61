/** Sizes of long lists, which a job counts: their exact size does not matter, and counting them takes long. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type Db, type Fragment, inlineNumber, type Sql } from '../../core/database/database.ts'
import { isNotTrashed, isVisible, isVisibleVideo } from '../../shared/visibility.ts'

/** `profile`: a user's visible bookmarks. `library`: all of them outside the trash, as their owner sees them. */
export type LongListKind =
  | 'profile'
  | 'library'
  | 'likes'
  | 'collection'
  | 'own collection'
  | 'channel'
  | 'own channel'

/** Selects the kind of a list, and the id of its user, collection or channel. */
export interface LongList {
  kind: Fragment
  id: Fragment
}

/** Stored counts are shown well above those that are exact, because they may be an hour old. */
export const minStoredCount = 2 * limits.exactCountMax

export function longList(db: Db, kind: LongListKind, id: Fragment): LongList {
  return { kind: db.unsafe(`'${kind}'`) as Fragment, id }
}

/** Selects the stored `count` of a list, if it is long. */
export function longListCount(db: Db, { kind, id }: LongList): Fragment {
  return db`select count from long_lists
             where kind = ${kind} and id = ${id} and count > ${inlineNumber(db, minStoredCount)}`
}

/** How many likes of a long list are read to estimate how many of them a filter leaves. */
const sampledLikes = 2000

/**
 * Selects the estimated `count` of the likes `l` of a user that match a filter, if the user has many. Ids of videos are
 * random, so likes of a range of ids are a random sample.
 * @param size the select of the number of the user's likes
 */
export function sampledLikesCount(db: Db, size: Fragment, from: Fragment, where: Fragment): Fragment {
  const part = db`(${inlineNumber(db, sampledLikes)} / stored.count::float8)`
  return db`
    select (matched / ${part})::bigint as count
      from (${size}) stored
      cross join lateral (select count(*) as matched from ${from}
                           where ${where} and l.video_id < (4503599627370496 * ${part})::bigint) sample`
}

/** Counts the lists with more than 10,000 bookmarks. */
export async function recountLongLists(sql: Sql): Promise<void> {
  await sql.begin(async (db) => {
    await db`set local statement_timeout = '200s'`
    const long = db.unsafe(`having count(*) > ${limits.skippedMax}`) as Fragment
    // Only users who saved that much have such collections and channels.
    await db`
      create temporary table counted on commit drop as
      with libraries as (
        select user_id, count(*) from bookmarks b where ${isNotTrashed(db)} group by user_id ${long}
      ), saved as materialized (
        select b.user_id, b.collection_id, b.channel_id, ${isVisible(db)} as is_visible
          from libraries join bookmarks b using (user_id) where ${isNotTrashed(db)}
      ), visible as (
        select user_id, collection_id, channel_id from saved b where ${isVisible(db)}
      ), likers as (
        select user_id from likes group by user_id ${long}
      )
      select 'library' as kind, user_id as id, count from libraries
      union all select 'profile', user_id, count(*) from visible group by user_id ${long}
      union all select 'collection', collection_id, count(*) from visible group by collection_id ${long}
      union all select 'own collection', collection_id, count(*) from saved group by collection_id ${long}
      union all select 'channel', channel_id, count(*) from visible where channel_id is not null group by channel_id ${long}
      union all select 'own channel', channel_id, count(*) from saved where channel_id is not null group by channel_id ${long}
      union all
      select 'likes', l.user_id, count(*)
        from likers join likes l using (user_id) join videos v on v.id = l.video_id
       where ${isVisibleVideo(db)} group by l.user_id ${long}`
    await db`delete from long_lists`
    await db`insert into long_lists (kind, id, count) select kind, id, count from counted`
  })
}
