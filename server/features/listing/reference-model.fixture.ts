/** A small random site, and a simple implementation of listings that computes the expected result row by row. */
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type ParsedSearch, parseSearch, type SearchTerm } from '@reelmark/contract/search-terms.ts'
import type { Sql } from '../../core/database/database.ts'
import {
  foldCase,
  matchesFilters,
  matchesSearch,
  type SearchedTexts,
  wordsOf,
} from './search-model.fixture.ts'
import { findSimilarWords, rankedWords } from './search-queries.ts'
import { matchScore } from './search-ranking.ts'

interface BookmarkRow {
  id: number
  user_id: number
  username: string
  video_id: number
  collection_id: number
  channel_id: number | null
  title: string
  description: string
  tags: string[]
  access: string
  collection_access: string
  deleted: boolean
  host: string
  /** Empty: unknown. */
  uploader: string
  status: string
  orientation: string
  duration: number | null
  created_at: Date
  micros: number
  random_key: number
  private_note: string
  lacks_picture: boolean
  lacks_player: boolean
  is_missing: boolean
  is_later: boolean
}

export interface ReferenceModel {
  bookmarks: BookmarkRow[]
  /** user → video → time of the like, in microseconds. */
  likes: Map<string, Map<number, number>>
  follows: Map<string, Set<string>>
  /** user → video → time, in microseconds. */
  watched: Map<string, Map<number, number>>
  /** Pairs of who blocked and who is blocked. */
  blocks: { blocker: string; blocked: string }[]
  mutes: { username: string; muted: string | null; tag: string | null }[]
  moderators: string[]
  /** Words in use that are similar to words of searches, by the latter. */
  similarWords: Map<string, string[]>
}

/** Words of titles, descriptions and tags, too short to be corrected. */
export const words = ['ox', 'elk', 'cat', 'fly', 'bee', 'owl']
/** Further words of titles and descriptions: with accents, apostrophes and punctuation, long and similar ones. */
export const titleWords = [
  ...words,
  'Élk',
  "cat's",
  'Straße',
  'lantern',
  'Lanterns',
  'lanterne',
  'top-10',
  'Vol.2',
  'Привет',
  '4K',
  'and/or',
]
/** Words of private notes, which also contain `titleWords`. */
export const noteWords = ['secret', 'plan']
/** Names of uploaders, of which the first three are the same to a search. */
export const uploaderNames = ['Élan Films', 'elan  films', 'ÉLAN "FILMS"', 'Ox', 'Straße 4K', 'Привет']
export const tagNames = [...words, 'night fly', 'sci-fi', 'été']
export const orientations = ['straight', 'gay', 'bi', 'trans', 'sfw']
/** Words that are misspelt, or the beginning of a longer word. */
export const misspeltWords = ['lanten', 'lanternes', 'lant', 'strase', 'prive', 'zebra']

/** Fills the database with the users `user1` to `user8`, their collections and bookmarks. Always the same data. */
export async function fillWithRandomData(db: Sql): Promise<void> {
  await db.begin(async (tx) => {
    await tx`select setseed(0.42)`
    await tx`insert into users (username, email) select 'user' || n, n || '@example.org' from generate_series(1, 8) n`
    await tx`
      insert into collections (user_id, name, access)
      select u.id, 'c' || n, case when n = 3 then 'private' else 'public' end from users u, generate_series(1, 3) n`
    await tx`update collections set is_watch_later = true where name = 'c3'`
    await tx`insert into channels (collection_id, name) select id, 'ch' from collections`
    await tx`
      insert into videos (canonical_url, source_url, host, duration, status, orientation_ruling)
      select 'https://' || host || '/' || n, 'https://' || host || '/' || n, host,
             case when random() < 0.7 then floor(random() * 12)::int * 300 end,
             case when random() < 0.08 then 'hidden' when random() < 0.04 then 'removed' else 'visible' end,
             case when random() < 0.2 then (${orientations}::text[])[1 + floor(random() * 5)::int] end
        from generate_series(1, 120) n,
             lateral (select case when n % 9 = 0 then 'm.tube-site.example.net' else 'h' || n % 4 || '.example.org' end as host)`
    // Up to `most` random elements. `seed` refers to the row: otherwise it would be called once for all rows.
    await tx`create function pg_temp.some(choices text[], most int, seed bigint) returns text[] language sql volatile as $$
      select array(select choices[1 + floor(random() * cardinality(choices))::int]
                     from generate_series(1, floor(random() * (most + 1))::int)) $$`
    await tx`
      insert into bookmarks (user_id, video_id, collection_id, channel_id, title, description, tags, orientation, access, duration, created_at, private_note, thumbnail_key, thumbnail_large_key, embed_url)
      select c.user_id, v.id, c.id, case when random() < 0.5 then ch.id end,
             (${words}::text[])[1 + floor(random() * 6)::int] || ' ' || array_to_string(pg_temp.some(${titleWords}, 3, v.id + c.id), ' '),
             array_to_string(pg_temp.some(${titleWords}, 3, v.id + c.id), (array[' ', ', ', ' – '])[1 + floor(random() * 3)::int]),
             array(select distinct tag from unnest(pg_temp.some(${tagNames}, 3, v.id + c.id)) tag),
             (${orientations}::text[])[1 + floor(random() * random() * 5)::int],
             case when random() < 0.2 then 'private' else 'public' end,
             case when random() < 0.2 then floor(random() * 12)::int * 300 end,
             now() - floor(random() * 300) * interval '1 hour',
             case when random() < 0.4 then array_to_string(pg_temp.some(${[...noteWords, ...titleWords]}, 3, v.id + c.id), ' ') else '' end,
             picture, picture,
             case when random() < 0.3 then 'https://player.example.org/' || v.id end
        from (select *, case when random() < 0.3 then 'picture' || id end as picture from videos) v, collections c join channels ch on ch.collection_id = c.id
       where random() < 0.13`
    await tx`update bookmarks set deleted_at = now() where random() < 0.05`
    await tx`update collections set access = 'private' where name = 'c2' and random() < 0.3`
    await tx`
      insert into likes (user_id, video_id, created_at)
      select u.id, v.id, now() - floor(random() * 20) * interval '1 hour' from users u, videos v where random() < 0.2`
    await tx`
      update videos set embed_url = 'https://player.example.org/' where random() < 0.5`
    await tx`
      update videos set thumbnail_key = 'video' || id, thumbnail_large_key = 'video' || id where random() < 0.3`
    await tx`update videos set thumbnail_state = 'pending' where random() < 0.1`
    await tx`
      insert into watched_videos (user_id, video_id, watched_at)
      select u.id, v.id, now() - floor(random() * 20) * interval '1 hour' from users u, videos v where random() < 0.3`
    await tx`
      update videos set missing_since = now(), missing_found_at = now(), missing_since_bookmark_id = 0,
                        missing_confirmed_bookmark_id = (select max(id) * random() from bookmarks)
       where random() < 0.3`
    const uploader = tx`(${uploaderNames}::text[])[1 + floor(random() * ${uploaderNames.length})::int]`
    await tx`update videos set uploader_name = ${uploader} where random() < 0.6`
    await tx`update bookmarks set uploader_name = ${uploader} where random() < 0.1`
    await tx`
      insert into follows (follower_id, followee_id)
      select a.id, b.id from users a, users b where a.id <> b.id and random() < 0.4`
  })
  await db`vacuum analyze`
}

export async function readReference(db: Sql): Promise<ReferenceModel> {
  const bookmarks = await db<BookmarkRow[]>`
    select b.id, b.user_id, u.username, b.video_id, b.collection_id, b.channel_id, b.title, b.description, b.tags, b.access,
           c.access as collection_access, c.is_watch_later as is_later, b.deleted_at is not null as deleted, v.host, v.status,
           coalesce(b.uploader_name, v.uploader_name, '') as uploader,
           coalesce(v.orientation_ruling, b.orientation) as orientation,
           coalesce(b.duration, v.duration) as duration, b.created_at,
           (extract(epoch from b.created_at) * 1000000)::bigint as micros, b.random_key, b.private_note,
           b.thumbnail_key is null and v.thumbnail_key is null
             and 'pending' not in (b.thumbnail_state, v.thumbnail_state) as lacks_picture,
           b.embed_url is null and v.embed_url is null as lacks_player,
           coalesce(least(b.id, v.lead_bookmark_id) <= v.missing_confirmed_bookmark_id, false) as is_missing
      from bookmarks b join users u on u.id = b.user_id join videos v on v.id = b.video_id
      join collections c on c.id = b.collection_id`
  const likes: ReferenceModel['likes'] = new Map()
  for (const { username, video_id, micros } of await db<
    { username: string; video_id: number; micros: number }[]
  >`
    select username, video_id, (extract(epoch from l.created_at) * 1000000)::bigint as micros
      from likes l join users u on u.id = l.user_id`) {
    const liked = likes.get(username) ?? new Map<number, number>()
    likes.set(username, liked.set(video_id, micros))
  }
  const follows: ReferenceModel['follows'] = new Map()
  for (const { follower, followee } of await db<{ follower: string; followee: string }[]>`
    select a.username as follower, b.username as followee
      from follows f join users a on a.id = f.follower_id join users b on b.id = f.followee_id`) {
    follows.set(follower, (follows.get(follower) ?? new Set()).add(followee))
  }
  const watched: ReferenceModel['watched'] = new Map()
  for (const { username, video_id, micros } of await db<
    { username: string; video_id: number; micros: number }[]
  >`
    select username, video_id, (extract(epoch from watched_at) * 1000000)::bigint as micros
      from watched_videos w join users u on u.id = w.user_id`) {
    watched.set(username, (watched.get(username) ?? new Map()).set(video_id, micros))
  }
  const blocks = await db<ReferenceModel['blocks']>`
    select a.username as blocker, b.username as blocked
      from blocks join users a on a.id = blocker_id join users b on b.id = blocked_id`
  const mutes = await db<ReferenceModel['mutes']>`
    select u.username, m.username as muted, tag
      from mutes join users u on u.id = mutes.user_id left join users m on m.id = muted_id`
  const moderators = await db<{ username: string }[]>`select username from users where is_moderator`
  const searched = [...titleWords, ...misspeltWords]
  const similarWords: ReferenceModel['similarWords'] = new Map()
  for (const { ordinal, word } of await db<{ ordinal: number; word: string }[]>`
    select ordinal, word
      from similar_words(array(select unaccent(lower(w)) from unnest(${searched}::text[]) with ordinality s (w, n) order by n))`) {
    const text = searched[ordinal - 1] ?? ''
    similarWords.set(text, [...(similarWords.get(text) ?? []), word])
  }
  return {
    bookmarks,
    likes,
    follows,
    watched,
    blocks,
    mutes,
    moderators: moderators.map(({ username }) => username),
    similarWords,
  }
}

/**
 * Returns the ids of the whole listing, in order.
 * @param search what `query.q` contains
 * @param scores scores of bookmarks by id, for the order `relevance`
 */
export function expectedIds(
  site: ReferenceModel,
  query: ListingQuery,
  viewer: string | null,
  search: ParsedSearch = parseSearch(query.q ?? ''),
  scores: ReadonlyMap<number, number> = new Map(),
): number[] {
  const { exact, further } = expectedMatches(site, query, viewer, search)
  const sorted = (rows: BookmarkRow[]) =>
    sortRows(site, query, viewer, rows, withParameters(query, search), scores)
  return [...sorted(exact), ...sorted(further)]
}

/**
 * Reads the scores of all bookmarks. Their meaning is tested in search-ranking.test.ts; the model compares the order.
 */
export async function readScores(
  db: Sql,
  site: ReferenceModel,
  query: ListingQuery,
  viewer: string | null,
  search: ParsedSearch,
): Promise<Map<number, number>> {
  // Text without letters and digits is no search.
  const terms = withParameters(query, search).terms.filter(
    ({ kind, text }) => (kind !== 'word' && kind !== 'phrase') || wordsOf(text).length > 0,
  )
  if (query.sort !== 'relevance' || terms.length === 0) return new Map()
  const { exact } = expectedMatches(site, query, viewer, search)
  const similar = exact.length < limits.pageSize ? await findSimilarWords(db, terms) : new Map()
  const rows = await db<{ id: number; score: number }[]>`
    select b.id, ${matchScore(db, rankedWords(db, terms, similar))} as score
      from bookmarks b join videos v on v.id = b.video_id`
  return new Map(rows.map(({ id, score }) => [id, score]))
}

/** Returns the matches of a search as it was entered, and those of similar words, which follow. */
function expectedMatches(
  site: ReferenceModel,
  query: ListingQuery,
  viewer: string | null,
  search: ParsedSearch,
): Record<'exact' | 'further', BookmarkRow[]> {
  const all = withParameters(query, search)
  const exact = listRows(site, query, viewer, all)
  // Few results are followed by those of similar words.
  if (exact.length >= limits.pageSize) return { exact, further: [] }
  const similar = ({ kind, text, negated }: SearchTerm) =>
    kind === 'word' && !negated && text.length >= 4 ? (site.similarWords.get(text) ?? []) : []
  const close = listRows(site, query, viewer, all, similar)
  if (query.sort === 'random') return { exact: close, further: [] }
  const isExact = (b: BookmarkRow) =>
    exact.some(({ id, video_id }) => id === b.id || (isListedOnce(query, all) && video_id === b.video_id))
  return { exact, further: close.filter((b) => !isExact(b)) }
}

function withParameters(query: ListingQuery, { terms, filters }: ParsedSearch): ParsedSearch {
  const { tag, host, min_duration, max_duration, saved_after, saved_before, access, watched } = query
  const all: ParsedSearch = { terms: [...terms], filters: [...filters] }
  const negated = false
  if (tag !== undefined) all.terms.push({ kind: 'tag', text: tag, negated })
  if (host !== undefined) all.terms.push({ kind: 'site', text: host, negated })
  if (min_duration !== undefined) all.filters.push({ kind: 'longer', seconds: min_duration, negated })
  if (max_duration !== undefined) all.filters.push({ kind: 'shorter', seconds: max_duration + 1, negated })
  if (saved_after !== undefined)
    all.filters.push({ kind: 'after', time: `${saved_after}T00:00:00Z`, negated })
  if (saved_before !== undefined)
    all.filters.push({ kind: 'before', time: `${saved_before}T00:00:00Z`, negated })
  if (access !== undefined) all.filters.push({ kind: 'is', state: 'private', negated: access === 'public' })
  if (watched !== undefined)
    all.filters.push({ kind: 'is', state: watched ? 'watched' : 'unwatched', negated })
  if (query.watch_later !== undefined)
    all.filters.push({ kind: 'is', state: 'later', negated: !query.watch_later })
  if (query.untagged) all.filters.push({ kind: 'no', part: 'tag', negated })
  if (query.no_picture) all.filters.push({ kind: 'no', part: 'picture', negated })
  if (query.no_player) all.filters.push({ kind: 'no', part: 'player', negated })
  return all
}

function listRows(
  site: ReferenceModel,
  query: ListingQuery,
  viewer: string | null,
  { terms, filters }: ParsedSearch,
  similar?: (term: SearchTerm) => readonly string[],
): BookmarkRow[] {
  const isModerator = site.moderators.includes(viewer ?? '')
  const blocked = site.blocks.flatMap(({ blocker, blocked }) =>
    blocker === viewer ? [blocked] : blocked === viewer && !isModerator ? [blocker] : [],
  )
  const following = isFeed(query)
  const ownOnly = listsOwn(terms, filters)
  const inContainer = isInContainer(query) || ownOnly
  // The list contains only the viewer's own bookmarks. A search in it also reads their private notes.
  const inVault =
    viewer !== null && !following && (query.user === undefined ? ownOnly : query.user === viewer)
  // Mutes do not apply to pages that the viewer opens: of a user, a collection, a channel, or likes.
  const isOpened = inContainer || (query.liked_by !== undefined && !following)
  const muted = isOpened ? [] : site.mutes.filter(({ username }) => username === viewer)
  const namedTags = terms.filter(({ kind, negated }) => kind === 'tag' && !negated).map(({ text }) => text)
  const isHidden = ({ username }: BookmarkRow) =>
    blocked.includes(username) || muted.some((mute) => mute.muted === username)
  const hasMutedTag = ({ tags }: BookmarkRow) =>
    muted.some(({ tag }) => tag !== null && tags.includes(tag) && !namedTags.includes(tag))
  if (blocked.includes(query.liked_by ?? '')) return []

  const isPublic = (b: BookmarkRow) => b.access === 'public' && b.collection_access === 'public' && !b.deleted
  const isVisible = (b: BookmarkRow) => isPublic(b) && b.status === 'visible'
  const leads = new Map<number, number>()
  for (const b of site.bookmarks.filter(isPublic)) {
    leads.set(b.video_id, Math.min(b.id, leads.get(b.video_id) ?? Number.POSITIVE_INFINITY))
  }
  const shown = (b: BookmarkRow) => ({
    ...b,
    isWatched: site.watched.get(viewer ?? '')?.has(b.video_id) ?? false,
    isOwnLater: inContainer && b.username === viewer && b.is_later,
    isOwnMissing: inContainer && b.username === viewer && b.is_missing,
    isOwnPrivate: b.username === viewer && (b.access === 'private' || b.collection_access === 'private'),
    lacks:
      inContainer && b.username === viewer
        ? [
            ...(b.tags.length === 0 ? (['tag'] as const) : []),
            ...(b.lacks_picture ? (['picture'] as const) : []),
            ...(b.lacks_player ? (['player'] as const) : []),
          ]
        : [],
  })
  const isOwn = ({ username }: BookmarkRow) => username === viewer
  const matches = (b: BookmarkRow) =>
    matchesSearch({ ...b, note: inVault && isOwn(b) ? b.private_note : '' }, terms, similar) &&
    !(isOwn(b) && excludesNote(b))
  const excludesNote = (b: BookmarkRow) =>
    isExcluded({ ...b, note: b.private_note }, (kind) => kind === 'note')
  const isExcluded = (texts: SearchedTexts, hasKind: (kind: SearchTerm['kind']) => boolean) =>
    terms.some((term) => term.negated && hasKind(term.kind) && !matchesSearch(texts, [term]))
  // Any visible bookmark of a video can match. The video is shown by its lead bookmark, which may not match what is excluded.
  const visible = site.bookmarks.filter((b) => isVisible(b) && !isHidden(b))
  const excludedVideos = new Set(
    [
      ...site.bookmarks.filter(
        (b) => leads.get(b.video_id) === b.id && isExcluded({ ...b, note: '' }, (kind) => kind !== 'note'),
      ),
      ...site.bookmarks.filter((b) => isOwn(b) && !b.deleted && excludesNote(b)),
    ].map((b) => b.video_id),
  )
  const matchingVideos = new Set(
    visible.filter((b) => matches(b) && !excludedVideos.has(b.video_id)).map((b) => b.video_id),
  )
  const rows = site.bookmarks.filter((b) => {
    const own = isOwn(b) && !b.deleted && b.status !== 'removed'
    if (!(isVisible(b) || (inContainer && own))) return false
    if (!inContainer && !following && leads.get(b.video_id) !== b.id) return false
    if (query.user !== undefined && b.username !== query.user) return false
    if (query.user === undefined && ownOnly && b.username !== viewer) return false
    if (query.channel !== undefined && b.channel_id !== query.channel) return false
    if (query.collection !== undefined && b.collection_id !== query.collection) return false
    if (following && site.follows.get(viewer ?? '')?.has(b.username) !== true) return false
    if (query.liked_by !== undefined && site.likes.get(query.liked_by)?.has(b.video_id) !== true) return false
    if (query.orientation && query.orientation !== 'all' && b.orientation !== query.orientation) return false
    if (isHidden(b) || hasMutedTag(b) || !matchesFilters(shown(b), filters)) return false
    return inContainer || following ? matches(b) : matchingVideos.has(b.video_id)
  })
  if (!isListedOnce(query, { terms, filters })) return rows
  const isNewer = (a: BookmarkRow, b: BookmarkRow) =>
    a.micros > b.micros || (a.micros === b.micros && a.id > b.id)
  return rows.filter((b) => !rows.some((other) => other.video_id === b.video_id && isNewer(other, b)))
}

/** Returns whether a listing is a feed of videos, each shown by its newest bookmark. */
function isListedOnce(query: ListingQuery, { terms, filters }: ParsedSearch): boolean {
  return isFeed(query) && !isInContainer(query) && !listsOwn(terms, filters)
}

function isFeed(query: ListingQuery): boolean {
  return query.sort === 'following' || query.following === true
}

/** Returns whether the viewer's own bookmarks are listed, which have the order of a library. */
function listsOwn(terms: ParsedSearch['terms'], filters: ParsedSearch['filters']): boolean {
  return (
    filters.some(
      (f) =>
        !f.negated &&
        (f.kind === 'no' || (f.kind === 'is' && ['private', 'gone', 'later'].includes(f.state))),
    ) || terms.some(({ kind, negated }) => kind === 'note' && !negated)
  )
}

function isInContainer({ user, channel, collection }: ListingQuery): boolean {
  return user !== undefined || channel !== undefined || collection !== undefined
}

function sortRows(
  site: ReferenceModel,
  query: ListingQuery,
  viewer: string | null,
  rows: readonly BookmarkRow[],
  { terms, filters }: ParsedSearch,
  scores: ReadonlyMap<number, number>,
): number[] {
  const isPublic = (b: BookmarkRow) => b.access === 'public' && b.collection_access === 'public' && !b.deleted
  const savers = new Map<number, Set<string>>()
  for (const b of site.bookmarks.filter(isPublic)) {
    savers.set(b.video_id, (savers.get(b.video_id) ?? new Set()).add(b.username))
  }
  // Only their own like shows on a video that no other user saved publicly.
  const likesOf = ({ video_id }: BookmarkRow) =>
    [...site.likes].filter(
      ([name, videos]) => videos.has(video_id) && (savers.has(video_id) || name === viewer),
    ).length
  const savesOf = ({ video_id }: BookmarkRow) => savers.get(video_id)?.size ?? 0
  const titleOf = ({ title }: BookmarkRow) => titleSortKey(title)

  const likedAt = (b: BookmarkRow) => site.likes.get(query.liked_by ?? '')?.get(b.video_id) ?? 0
  const inContainer = isInContainer(query) || listsOwn(terms, filters)
  const byLike = query.liked_by !== undefined && !inContainer && !isFeed(query)
  const key = (b: BookmarkRow) => (byLike ? likedAt(b) : b.micros)
  const watchedAt = (b: BookmarkRow) => site.watched.get(viewer ?? '')?.get(b.video_id) ?? 0
  const newest = (a: BookmarkRow, b: BookmarkRow) => key(b) - key(a) || b.id - a.id
  const start = (query.seed ?? 0) / 2_147_483_647
  const segment = (b: BookmarkRow) => (b.random_key <= start ? 0 : 1)
  const unknown = Number.POSITIVE_INFINITY
  const compare: Partial<Record<string, (a: BookmarkRow, b: BookmarkRow) => number>> = {
    random: (a, b) => segment(a) - segment(b) || b.random_key - a.random_key || b.id - a.id,
    oldest: (a, b) => key(a) - key(b) || a.id - b.id,
    most_saved: (a, b) => savesOf(b) - savesOf(a) || b.id - a.id,
    most_liked: (a, b) => likesOf(b) - likesOf(a) || b.id - a.id,
    longest: (a, b) => (b.duration ?? -1) - (a.duration ?? -1) || b.id - a.id,
    shortest: (a, b) => Math.sign((a.duration ?? unknown) - (b.duration ?? unknown)) || a.id - b.id,
    last_watched: (a, b) => watchedAt(b) - watchedAt(a) || (watchedAt(a) === 0 ? newest(a, b) : b.id - a.id),
    title: (a, b) => Buffer.compare(Buffer.from(titleOf(a)), Buffer.from(titleOf(b))) || a.id - b.id,
  }
  if (scores.size > 0) {
    compare.relevance = (a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0) || b.id - a.id
  }
  return rows.toSorted(compare[query.sort ?? 'all'] ?? newest).map(({ id }) => id)
}

function titleSortKey(title: string): string {
  const text = title.replace(/[\p{P}\p{S}]/gu, '')
  return foldCase(text).trim().slice(0, 40)
}
