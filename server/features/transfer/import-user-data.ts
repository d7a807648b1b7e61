/** What else of somebody an import brings in. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { canonicalUrl } from '../../core/video-links/canonical-url.ts'
import { canSeeVideo } from '../../shared/visibility.ts'
import type { TransferClaim } from './export-queries.ts'
import { mergeProfile } from './rules.ts'

type TransferProfile = TransferFile['profile']

/** What was never set here is taken from the file; the rest stays. */
export async function importProfile(tx: Db, claim: TransferClaim, file: TransferProfile): Promise<void> {
  const [here] = await tx<Required<Omit<TransferProfile, 'default_bookmark_collection'>>[]>`
    select bio, default_bookmark_orientation, notify_on_follow, notify_on_own_video_bookmarked,
           notify_on_new_bookmark_from_followed_user, notify_on_own_video_liked, notify_by_email
      from users where id = ${claim.user_id} for no key update`
  if (here === undefined) return
  const { default_bookmark_collection: chosen, ...settings } = file
  await tx`update users set ${tx(mergeProfile(here, settings))} where id = ${claim.user_id}`
  if (chosen === null) return
  await tx`
    update users set default_bookmark_collection = p.collection_id
      from import_containers p
     where users.id = ${claim.user_id} and default_bookmark_collection is null
       and p.import_id = ${claim.id} and p.collection = ${chosen} and p.channel is null`
}

/** The videos that links are of, as far as somebody may see them: for each link its video's id, or null. */
export async function findVideos(
  db: Db,
  userId: number,
  links: readonly string[],
): Promise<(number | null)[]> {
  const canonical = links.map(canonicalUrl)
  const videos = await db<{ id: number; canonical_url: string }[]>`
    select v.id, v.canonical_url from videos v
     where v.canonical_hash in (select url_hash(link) from unnest(${canonical}::text[]) link)
       and ${canSeeVideo(db, userId)}`
  const ids = new Map(videos.map(({ id, canonical_url }) => [canonical_url, id]))
  return canonical.map((link) => (link === null ? null : (ids.get(link) ?? null)))
}

/** The videos are locked first, as whoever likes one does. @returns how many were not there. Times go as text: the driver's dates are of milliseconds. */
export async function importLikes(
  tx: Db,
  userId: number,
  likes: { video_id: number; created_at: string }[],
): Promise<number> {
  await tx`
    select from videos where id = any (${likes.map(({ video_id }) => video_id)}::bigint[])
     order by id for no key update`
  const rows = await tx`
    insert into likes (user_id, video_id, created_at)
    select ${userId}, video_id, created_at
      from json_to_recordset(${JSON.stringify(likes)}::text::json) as r (video_id bigint, created_at timestamptz)
    on conflict do nothing
    returning video_id`
  return rows.length
}

/** Follows those who are here, not banned, nobody of whom one blocked the other, and somebody else. */
export async function importFollows(
  tx: Db,
  userId: number,
  follows: readonly NamedUser[],
): Promise<{ added: number; duplicates: number; unknown: string[] }> {
  const { people, unknown } = await findUsersByName(
    tx,
    follows,
    tx`u.id <> ${userId} and not is_blocked_between(u.id, ${userId})`,
  )
  const rows = await tx`
    insert into follows (follower_id, followee_id, created_at)
    select ${userId}, id, created_at
      from json_to_recordset(${JSON.stringify(people)}::text::json) as r (id bigint, created_at timestamptz)
    on conflict do nothing
    returning followee_id`
  return { added: rows.length, duplicates: people.length - rows.length, unknown }
}

interface NamedUser {
  username: string
  created_at: string
}

/** People by their names, each once; `unknown` are the names of whom nobody is here who is as `which` says of `u`. */
async function findUsersByName<N extends NamedUser>(
  tx: Db,
  named: readonly N[],
  which: Fragment,
): Promise<{ people: (N & { id: number })[]; unknown: string[] }> {
  const known = await tx<{ id: number; name: string }[]>`
    select u.id, lower(u.username) as name from users u
     where lower(u.username) = any (${named.map(({ username }) => username.toLowerCase())})
       and u.banned_at is null and ${which}`
  const ids = new Map(known.map(({ id, name }) => [name, id]))
  const found = new Map<number, N & { id: number }>()
  const unknown: string[] = []
  for (const each of named) {
    const id = ids.get(each.username.toLowerCase())
    if (id === undefined) unknown.push(each.username)
    else if (!found.has(id)) found.set(id, { ...each, id })
  }
  return { people: [...found.values()], unknown }
}

/** A trigger locks the people in the order in which all lock them, and ends follows. */
export async function importBlocks(tx: Db, userId: number, blocks: readonly NamedUser[]) {
  const { people, unknown } = await findUsersByName(tx, blocks, tx`u.id <> ${userId}`)
  const rows = await tx`
    insert into blocks (blocker_id, blocked_id, created_at)
    select ${userId}, id, created_at
      from json_to_recordset(${JSON.stringify(people)}::text::json) as r (id bigint, created_at timestamptz)
    on conflict do nothing
    returning blocked_id`
  return { added: rows.length, duplicates: people.length - rows.length, unknown }
}

export async function importMutedUsers(tx: Db, userId: number, mutes: readonly NamedUser[]) {
  const { people, unknown } = await findUsersByName(tx, mutes, tx`u.id <> ${userId}`)
  const kept = await importMutes(
    tx,
    userId,
    people.map(({ id, username, created_at }) => ({ muted_id: id, tag: null, what: username, created_at })),
  )
  return { ...kept, unknown }
}

interface MuteImport {
  muted_id: number | null
  tag: string | null
  /** How it is called where it is left out. */
  what: string
  created_at: string
}

/** As many as there may be. The user's row keeps two apart who count at once. */
export async function importMutes(tx: Db, userId: number, mutes: readonly MuteImport[]) {
  await tx`select from users where id = ${userId} for no key update`
  const rows = await tx<{ what: string; is_there: boolean; is_added: boolean }[]>`
    with given as (
      select r.*, m.id is not null as is_there
        from json_to_recordset(${JSON.stringify(mutes)}::text::json)
               as r (muted_id bigint, tag text, what text, created_at timestamptz)
        left join mutes m on m.user_id = ${userId} and (m.muted_id = r.muted_id or m.tag = r.tag)
    ), made as (
      insert into mutes (user_id, muted_id, tag, created_at)
      select ${userId}, muted_id, tag, created_at from given where not is_there
       order by created_at
       limit greatest(0, ${limits.mutesMax} - (select count(*) from mutes where user_id = ${userId}))
      on conflict do nothing
      returning muted_id, tag
    )
    select what, is_there, exists (
             select from made where made.muted_id = given.muted_id or made.tag = given.tag) as is_added
      from given`
  return {
    added: rows.filter(({ is_added }) => is_added).length,
    duplicates: rows.filter(({ is_there }) => is_there).length,
    tooMany: rows.filter((row) => !row.is_there && !row.is_added).map(({ what }) => what),
  }
}

export async function importWatched(
  tx: Db,
  userId: number,
  watched: { video_id: number; created_at: string }[],
): Promise<number> {
  const rows = await tx`
    insert into watched_videos (user_id, video_id, watched_at)
    select ${userId}, video_id, max(created_at)
      from json_to_recordset(${JSON.stringify(watched)}::text::json) as r (video_id bigint, created_at timestamptz)
     group by video_id order by video_id
    on conflict do nothing
    returning video_id`
  return rows.length
}
