import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Suggestions } from '@reelmark/contract/suggestions.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../../core/database/database.ts'
import { thumbnailUrl, uploaderName } from '../../../shared/bookmark-columns.ts'
import { findByName, namedCollections, namedUsers } from '../../../shared/name-search.ts'
import { isProfileForMembers, visibleFollowersCount } from '../../../shared/profile-visibility.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'
import { andNotHidden, andTagsNotMuted } from '../../../shared/user-visibility.ts'
import {
  isInLibraryUnjoined,
  isListed,
  isPublic,
  isPublicCollection,
  isSfwTag,
  isVisible,
  isVisibleTag,
  isVisibleVideo,
} from '../../../shared/visibility.ts'
import { readSlices } from '../read-slices.ts'
import { allTimeSlices } from '../search-slices.ts'
import { keyArray, vaultKeys } from '../vault-keys.ts'
import { vaultIndex } from '../vault-source.ts'

/** How many of the most used tags, of the most followed users and so on are compared with the text first. */
const compared = 1000
/** How many of the newest videos are compared with the text first. */
const comparedVideos = 300
/** How many of the viewer's newest bookmarks, or newest private ones, are compared with the text. */
const comparedOwn = 300
/** Among how many of the newest those of an orientation are looked for: of all in an index alone, of private ones in the table. */
const searchedOwn = { all: 3000, private: 1000 }
const size = { limit: limits.suggestionsMax, compared }

export interface SuggestionRequest {
  text: string
  /** Null: any. */
  orientation: Orientation | null
}

/** Returns what everyone may see, without what the viewer blocked or muted. */
export async function findPublicSuggestions(
  db: Db,
  { text, orientation }: SuggestionRequest,
  viewer: Viewer | null,
): Promise<Suggestions> {
  const [found] = await db<[Suggestions]>`
    select ${jsonList(db, suggestedTags(db, text, orientation, viewer))} as tags,
           ${jsonList(db, suggestedUsers(db, text, viewer))} as users,
           ${jsonList(db, suggestedUploaders(db, text, orientation))} as uploaders,
           ${jsonList(db, suggestedCollections(db, text, viewer))} as collections,
           ${jsonList(db, suggestedVideos(db, text, orientation, viewer))} as videos, '[]'::json as own`
  return found
}

/** Selects the rows of a query as a JSON array, in their order. */
function jsonList(db: Db, rows: Fragment): Fragment {
  return db`(select coalesce(json_agg(row), '[]') from (${rows}) row)`
}

function suggestedTags(
  db: Db,
  text: string,
  orientation: Orientation | null,
  viewer: Viewer | null,
): Fragment {
  const found = findByName(
    db,
    text,
    {
      from: db`tags t`,
      id: db`t.name`,
      words: db`t.name_words`,
      popularity: db`t.uses_count`,
      where: db`${isVisibleTag(db)} ${orientation === 'sfw' ? db`and ${isSfwTag(db)}` : db``}
        ${andTagsNotMuted(db, db`array[t.name]`, viewer, [])} ${andUsedByOthers(db, viewer)}`,
      isExact: db`t.name = lower(${text})`,
    },
    size,
  )
  return db`select id as name, popularity as uses_count from (${found}) found`
}

/** Tags with more uses than this are assumed to be used by several users. */
const usesBySeveral = 100

/** Returns `and …`: tags `t` are used by a user whom the viewer did not block or mute. Empty if not needed. */
function andUsedByOthers(db: Db, viewer: Viewer | null): Fragment {
  if (!viewer?.has_blocks_or_mutes) return db``
  return db`and (t.uses_count > ${inlineNumber(db, usesBySeveral)} or exists (
    select from bookmarks b
     where ${isVisible(db)} ${andNotHidden(db, db`b.user_id`, viewer, { muted: true })}
       and b.search_vector @@ array_to_tsvector(array['tag:' || t.name])::text::tsquery))`
}

/** How many different names of uploaders are looked up, and how many videos of each. */
const [maxUploaders, maxUploaded] = [30, 20]

/**
 * The uploaders of listed videos whose names begin with a text, in the order of the names. Each name is one lookup in the index, and
 * so are its videos, because an index of names cannot contain which videos are listed.
 */
function suggestedUploaders(db: Db, text: string, orientation: Orientation | null): Fragment {
  const key = db`uploader_key(v.uploader_name)`
  const prefix = db`(select uploader_key(${text}))`
  // The highest character ends the range of the index: after the last name, the rest of the index would be read.
  const end = db`(select uploader_key(${text}) || chr(1114111))`
  const nextName = (after: Fragment): Fragment => db`
    select ${key} as key from videos v
     where v.uploader_name is not null and ${after} and ${key} < ${end} and starts_with(${key}, ${prefix})
     order by ${key} limit 1`
  return db`
    with recursive names as (
      (select key, 1 as position from (${nextName(db`${key} >= ${prefix}`)}) named where ${prefix} <> '')
      union all
      select following.key, names.position + 1
        from names cross join lateral (${nextName(db`${key} > names.key`)}) following
       where names.position < ${inlineNumber(db, maxUploaders)}
    )
    select shown.name from names cross join lateral (
      select uploaded.uploader_name as name
        from (select v.uploader_name, v.status, v.lead_bookmark_id from videos v
               where v.uploader_name is not null and ${key} = names.key limit ${inlineNumber(db, maxUploaded)}) uploaded
        join bookmarks b on b.id = uploaded.lead_bookmark_id
       where ${isListed(db)} ${andOrientation(db, orientation)} limit 1) shown
     limit ${inlineNumber(db, limits.suggestionsMax)}`
}

/** The columns of users `u`, for everyone alike: the responses of visitors are shared. */
function userColumns(db: Db): Fragment {
  return db`u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.is_verified, ${visibleFollowersCount(db, null)} as followers_count`
}

function suggestedUsers(db: Db, text: string, viewer: Viewer | null): Fragment {
  return db`select ${userColumns(db)}
              from (${findByName(db, text, namedUsers(db, text, viewer), size)}) found join users u on u.id = found.id
             order by found.is_exact desc, found.popularity desc, found.id`
}

function suggestedCollections(db: Db, text: string, viewer: Viewer | null): Fragment {
  return db`select c.id, c.name, c.access, u.username as user_username
              from (${findByName(db, text, namedCollections(db, viewer), size)}) found
              join collections c on c.id = found.id join users u on u.id = c.user_id
             order by found.popularity desc, found.id`
}

function videoColumns(db: Db): Fragment {
  return db`b.id, b.title, ${thumbnailUrl(db)} as thumbnail_url, b.effective_orientation as orientation,
            u.username as user_username, ${isPublic(db)} as is_public`
}

function suggestedVideos(
  db: Db,
  text: string,
  orientation: Orientation | null,
  viewer: Viewer | null,
): Fragment {
  const max = db`limit ${inlineNumber(db, limits.suggestionsMax)}`
  const mayBeShown = db`${isListed(db)} ${andOrientation(db, orientation)}
    ${andNotHidden(db, db`b.user_id`, viewer, { muted: true })} ${andTagsNotMuted(db, db`b.tags`, viewer, [])}`
  const indexed = {
    id: db`b.id`,
    key: db`b.lead_created_at`,
    cells: null,
    from: db`bookmarks b`,
    where: db`${isVisible(db)} and ${mayBeShown} and b.search_vector @@ (select title_query(${text}, true))
      and (${titleMatches(db, text)}) is true`,
  }
  const newestFirst = db`order by key desc, id desc ${max}`
  const slices = allTimeSlices('lead', Date.now() * 1000, 'older', limits.suggestionsMax)
  return db`
    with newest as materialized (
      select b.id, b.created_at as key
        from (select b.id, b.created_at, b.search_vector from bookmarks b
               where ${mayBeShown} order by b.created_at desc, b.id desc limit ${inlineNumber(db, comparedVideos)}) b
       where ${titleMatches(db, text)} ${max}
    )
    select ${videoColumns(db)}
      from (select id, key from newest
            union select id, key from (${readSlices(db, indexed, slices, db``, newestFirst)} ${max}) others
             where (select count(*) from newest) < ${inlineNumber(db, limits.suggestionsMax)}
            ${newestFirst}) found
      join bookmarks b on b.id = found.id join videos v on v.id = b.video_id join users u on u.id = b.user_id
     order by found.key desc, found.id desc`
}

/**
 * The condition that titles of bookmarks `b` contain the words of a text. The second part excludes the exact lexemes, such as
 * user:x: they have no weight, so that the beginning of a word of any weight matches them.
 */
function titleMatches(db: Db, text: string): Fragment {
  const query = db`(select title_query(${text}, false))`
  return db`b.search_vector @@ ${query} and ts_filter(b.search_vector, '{a}') @@ ${query}`
}

function andOrientation(db: Db, orientation: Orientation | null): Fragment {
  return orientation === null ? db`` : db`and b.effective_orientation = ${orientation}`
}

/**
 * Returns what is not in the responses that visitors share: the viewer's private collections, the tags and titles of their
 * private bookmarks, and users whose profile only members see.
 */
export async function findOwnSuggestions(
  db: Db,
  { text, orientation }: SuggestionRequest,
  viewer: Viewer,
): Promise<Suggestions> {
  const viewerId = viewer.id
  const max = inlineNumber(db, limits.suggestionsMax)
  const [found] = await db<[Suggestions]>`
    with own as materialized (
      select b.id, b.user_id, b.video_id, b.title, b.tags, b.search_vector, b.thumbnail_key, b.effective_orientation, b.is_public, b.created_at,
             ${uploaderName(db)} as uploader_name
        from (select * from bookmarks b
               where b.user_id = ${viewerId} and not ${isPublic(db)} and ${isInLibraryUnjoined(db)}
               order by b.created_at desc, b.id desc limit ${inlineNumber(db, orientation === null ? comparedOwn : searchedOwn.private)}) b
        join videos v on v.id = b.video_id
       where true ${andOrientation(db, orientation)}
       order by b.created_at desc, b.id desc limit ${inlineNumber(db, comparedOwn)})
    select ${jsonList(
      db,
      db`select tag as name, coalesce(t.uses_count, 0) as uses_count
           from (select tag, max(b.created_at) as used_at from own b, unnest(b.tags) tag group by tag offset 0) used
           left join tags t on t.name = tag
          where name_words(tag) @@ (select name_query(${text})) order by tag = lower(${text}) desc, used_at desc, tag limit ${max}`,
    )} as tags,
    ${jsonList(
      db,
      db`select ${userColumns(db)} from users u
          where ${isProfileForMembers(db)} and u.banned_at is null and u.username_words @@ (select name_query(${text}))
            ${andNotHidden(db, db`u.id`, viewer, { muted: true })}
          order by lower(u.username) = lower(${text}) desc, u.id limit ${max}`,
    )} as users,
    ${jsonList(
      db,
      db`select min(uploader_name) as name from own b
          where name_words(uploader_name) @@ (select name_query(${text}))
          group by uploader_key(uploader_name) order by max(b.created_at) desc limit ${max}`,
    )} as uploaders,
    ${jsonList(
      db,
      db`select c.id, c.name, c.access, u.username as user_username from collections c join users u on u.id = c.user_id
          where c.user_id = ${viewerId} and not ${isPublicCollection(db)} and c.name_words @@ (select name_query(${text}))
          order by c.position, c.id limit ${max}`,
    )} as collections,
    ${jsonList(
      db,
      db`select ${videoColumns(db)}
           from (select * from own b where ${titleMatches(db, text)} limit ${max}) b
           join videos v on v.id = b.video_id join users u on u.id = b.user_id
          order by b.created_at desc, b.id desc`,
    )} as videos,
    ${jsonList(db, suggestedOwnVideos(db, text, orientation, viewerId))} as own`
  return found
}

/**
 * Selects the viewer's own bookmarks by their titles. The newest are compared with the text; for the others, the index of
 * own bookmarks is read slice by slice. It completes only words that visible bookmarks contain.
 */
function suggestedOwnVideos(
  db: Db,
  text: string,
  orientation: Orientation | null,
  viewerId: number,
): Fragment {
  const max = db`limit ${inlineNumber(db, limits.suggestionsMax)}`
  const mayBeShown = db`${isInLibraryUnjoined(db)} ${andOrientation(db, orientation)}`
  const { cells, keys, hasWords } = vaultIndex(db, viewerId)
  const library = { orientation, collection: null, channel: null, isTrash: false, filters: [] }
  const indexed = {
    id: db`b.id`,
    key: db`b.created_at`,
    cells,
    from: db`bookmarks b`,
    where: db`${mayBeShown} and (b.user_id = ${viewerId}) is true and ${keys} @> ${keyArray(db, vaultKeys(viewerId, library).all)}
      and ${hasWords(db`(select title_query(${text}, true))`)} and (${titleMatches(db, text)}) is true`,
  }
  const newestFirst = db`order by key desc, id desc ${max}`
  const slices = allTimeSlices('own', Date.now() * 1000, 'older', limits.suggestionsMax)
  return db`
    with newest as materialized (
      select b.id, b.created_at as key
        from (select b.id from (
                select b.id, b.created_at, b.effective_orientation from bookmarks b
                 where b.user_id = ${viewerId} and ${isInLibraryUnjoined(db)}
                 order by b.created_at desc, b.id desc limit ${inlineNumber(db, orientation === null ? comparedOwn : searchedOwn.all)}) b
               where true ${andOrientation(db, orientation)}
               order by b.created_at desc, b.id desc limit ${inlineNumber(db, comparedOwn)}) recent
        join bookmarks b on b.id = recent.id
       where ${titleMatches(db, text)} ${newestFirst}
    )
    select ${videoColumns(db)}, c.name as collection_name, b.created_at
      from (select id, key from newest
            union select id, key from (${readSlices(db, indexed, slices, db``, newestFirst)} ${max}) others
             where (select count(*) from newest) < ${inlineNumber(db, limits.suggestionsMax)}
            ${newestFirst}) found
      join bookmarks b on b.id = found.id join videos v on v.id = b.video_id join users u on u.id = b.user_id
      join collections c on c.id = b.collection_id
     order by found.key desc, found.id desc`
}

/** Returns the lead bookmark of the video with a canonical URL, unless its owner is hidden from the viewer. */
export async function findLeadByUrl(
  db: Db,
  canonicalUrl: string,
  viewer: Viewer | null,
): Promise<{ id: number; title: string } | null> {
  const [lead = null] = await db<{ id: number; title: string }[]>`
    select b.id, b.title from videos v join bookmarks b on b.id = v.lead_bookmark_id
     where v.canonical_hash = url_hash(${canonicalUrl}) and ${isVisibleVideo(db)} and ${isListed(db)}
       ${andNotHidden(db, db`b.user_id`, viewer, { muted: true })}`
  return lead
}
