/** Imports a user's profile, likes, watched videos, follows, blocks and mutes. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { Jobs } from '../../core/database/jobs.ts'
import { canonicalUrl } from '../../core/video-links/canonical-url.ts'
import { syncOwnerNameJob } from '../../shared/profile-visibility.ts'
import { privacyColumns, settingFlagColumns } from '../../shared/user-columns.ts'
import { canSeeVideo } from '../../shared/visibility.ts'
import type { TransferClaim } from './export-queries.ts'
import { mergeProfile } from './rules.ts'

type TransferProfile = TransferFile['profile']

/** Takes settings that the user never changed from the file; the others stay. */
export async function importProfile(
  tx: Db,
  jobs: Jobs,
  claim: TransferClaim,
  file: TransferProfile,
): Promise<void> {
  const [existing] = await tx<Required<Omit<TransferProfile, 'default_bookmark_collection'>>[]>`
    select bio, default_bookmark_orientation, ${settingFlagColumns(tx)}, ${privacyColumns(tx)}, notify_by_email, is_history_paused
      from users where id = ${claim.user_id} for no key update`
  if (existing === undefined) return
  const { default_bookmark_collection: chosen, ...settings } = file
  const merged = mergeProfile(existing, settings)
  await tx`update users set ${tx(merged)} where id = ${claim.user_id}`
  if (merged.profile_visibility !== existing.profile_visibility)
    await jobs.send(tx, syncOwnerNameJob, { user_id: claim.user_id })
  if (chosen === null) return
  await tx`
    update users set default_bookmark_collection = p.collection_id
      from import_containers p
     where users.id = ${claim.user_id} and default_bookmark_collection is null
       and p.import_id = ${claim.id} and p.collection = ${chosen} and p.channel is null`
}

/** Returns for each link the id of its video, or null if there is no such video or the user may not see it. */
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

/**
 * Imports likes and returns how many were added. Locks the videos first, as every like does. Times are sent as text,
 * because the driver's dates have only milliseconds.
 */
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

/** Imports follows of existing users who are not banned and not in a block relationship with the user. */
export async function importFollows(
  tx: Db,
  userId: number,
  follows: readonly NamedUser[],
): Promise<{ added: number; duplicates: number; unknown: string[] }> {
  const { users, unknown } = await findUsersByName(
    tx,
    follows,
    tx`u.id <> ${userId} and not is_blocked_between(u.id, ${userId})`,
  )
  const rows = await tx`
    insert into follows (follower_id, followee_id, created_at)
    select ${userId}, id, created_at
      from json_to_recordset(${JSON.stringify(users)}::text::json) as r (id bigint, created_at timestamptz)
    on conflict do nothing
    returning followee_id`
  return { added: rows.length, duplicates: users.length - rows.length, unknown }
}

interface NamedUser {
  username: string
  created_at: string
}

/**
 * Finds users by name, each once.
 * @param condition a condition on users `u`
 * @returns the users found with what the file has about them, and the names that match no user
 */
async function findUsersByName<N extends NamedUser>(
  tx: Db,
  named: readonly N[],
  condition: Fragment,
): Promise<{ users: (N & { id: number })[]; unknown: string[] }> {
  const known = await tx<{ id: number; name: string }[]>`
    select u.id, lower(u.username) as name from users u
     where lower(u.username) = any (${named.map(({ username }) => username.toLowerCase())})
       and u.banned_at is null and ${condition}`
  const ids = new Map(known.map(({ id, name }) => [name, id]))
  const found = new Map<number, N & { id: number }>()
  const unknown: string[] = []
  for (const item of named) {
    const id = ids.get(item.username.toLowerCase())
    if (id === undefined) unknown.push(item.username)
    else if (!found.has(id)) found.set(id, { ...item, id })
  }
  return { users: [...found.values()], unknown }
}

/** Imports blocks. A trigger locks the users in the usual order and ends follows between them. */
export async function importBlocks(tx: Db, userId: number, blocks: readonly NamedUser[]) {
  const { users, unknown } = await findUsersByName(tx, blocks, tx`u.id <> ${userId}`)
  const rows = await tx`
    insert into blocks (blocker_id, blocked_id, created_at)
    select ${userId}, id, created_at
      from json_to_recordset(${JSON.stringify(users)}::text::json) as r (id bigint, created_at timestamptz)
    on conflict do nothing
    returning blocked_id`
  return { added: rows.length, duplicates: users.length - rows.length, unknown }
}

export async function importMutedUsers(tx: Db, userId: number, mutes: readonly NamedUser[]) {
  const { users, unknown } = await findUsersByName(tx, mutes, tx`u.id <> ${userId}`)
  const outcome = await importMutes(
    tx,
    userId,
    users.map(({ id, username, created_at }) => ({ muted_id: id, tag: null, what: username, created_at })),
  )
  return { ...outcome, unknown }
}

interface MuteImport {
  muted_id: number | null
  tag: string | null
  /** How a problem names it. */
  what: string
  created_at: string
}

/** Imports mutes up to the limit. The lock of the user's row prevents concurrent imports from exceeding it. */
export async function importMutes(tx: Db, userId: number, mutes: readonly MuteImport[]) {
  await tx`select from users where id = ${userId} for no key update`
  const rows = await tx<{ what: string; exists_already: boolean; is_added: boolean }[]>`
    with records as (
      select r.*, m.id is not null as exists_already
        from json_to_recordset(${JSON.stringify(mutes)}::text::json)
               as r (muted_id bigint, tag text, what text, created_at timestamptz)
        left join mutes m on m.user_id = ${userId} and (m.muted_id = r.muted_id or m.tag = r.tag)
    ), created as (
      insert into mutes (user_id, muted_id, tag, created_at)
      select ${userId}, muted_id, tag, created_at from records where not exists_already
       order by created_at
       limit greatest(0, ${limits.mutesMax} - (select count(*) from mutes where user_id = ${userId}))
      on conflict do nothing
      returning muted_id, tag
    )
    select what, exists_already, exists (
             select from created where created.muted_id = records.muted_id or created.tag = records.tag) as is_added
      from records`
  return {
    added: rows.filter(({ is_added }) => is_added).length,
    duplicates: rows.filter(({ exists_already }) => exists_already).length,
    tooMany: rows.filter((row) => !row.exists_already && !row.is_added).map(({ what }) => what),
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
