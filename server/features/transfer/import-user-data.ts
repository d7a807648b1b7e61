/** Imports a user's profile, likes, watched videos, positions, follows, blocks and mutes. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { Jobs } from '../../core/database/jobs.ts'
import { canonicalUrl } from '../../core/video-links/canonical-url.ts'
import { canNameUser, canSeeProfile, syncOwnerNameJob } from '../../shared/profile-visibility.ts'
import { privacyColumns, settingFlagColumns } from '../../shared/user-columns.ts'
import { selectNamedUser } from '../../shared/usernames.ts'
import { canSeeVideo, hasLead } from '../../shared/visibility.ts'
import type { TransferClaim } from './export-queries.ts'
import { mergeProfile } from './rules.ts'

type TransferProfile = TransferFile['profile']

/** Takes settings that the user never changed from the file; the others stay. Returns whether something was taken. */
export async function importProfile(
  tx: Db,
  jobs: Jobs,
  claim: TransferClaim,
  file: TransferProfile,
): Promise<boolean> {
  const [existing] = await tx<Required<Omit<TransferProfile, 'default_bookmark_collection'>>[]>`
    select bio, default_bookmark_orientation, ${settingFlagColumns(tx)}, ${privacyColumns(tx)}, notify_by_email, is_history_paused
      from users where id = ${claim.user_id} for no key update`
  if (existing === undefined) return false
  const { default_bookmark_collection: chosen, ...settings } = file
  const merged = mergeProfile(existing, settings)
  await tx`update users set ${tx(merged)} where id = ${claim.user_id}`
  if (merged.is_history_paused && !existing.is_history_paused) {
    await tx`
      update imports set options = (coalesce(options, '{}')::jsonb || '{"pauses_history": true}')::json where id = ${claim.id}`
  }
  if (merged.profile_visibility !== existing.profile_visibility)
    await jobs.send(tx, syncOwnerNameJob, { user_id: claim.user_id })
  const isChanged = Object.entries(merged).some(
    ([name, value]) => value !== existing[name as keyof typeof existing],
  )
  if (chosen === null) return isChanged
  const chosenNow = await tx`
    update users set default_bookmark_collection = p.collection_id
      from import_containers p
     where users.id = ${claim.user_id} and default_bookmark_collection is null
       and p.import_id = ${claim.id} and p.collection = ${chosen} and p.channel is null`
  return isChanged || chosenNow.count > 0
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
 * Imports likes and returns the ids of the videos that the user did not like yet, and of those that no public bookmark has, whose
 * likes are not imported: they would reveal to later savers that the user saved them privately. Locks the videos first, as
 * every like does. Times are sent as text, because the driver's dates have only milliseconds.
 */
export async function importLikes(
  tx: Db,
  userId: number,
  likes: { video_id: number; created_at: string }[],
): Promise<{ created: number[]; unlisted: number[] }> {
  const videos = await tx<{ id: number; has_lead: boolean }[]>`
    select v.id, ${hasLead(tx)} as has_lead from videos v
     where v.id = any (${likes.map(({ video_id }) => video_id)}::bigint[])
     order by v.id for no key update`
  const unlisted = videos.filter(({ has_lead }) => !has_lead).map(({ id }) => id)
  const rows = await tx<{ video_id: number }[]>`
    insert into likes (user_id, video_id, created_at)
    select ${userId}, video_id, created_at
      from json_to_recordset(${JSON.stringify(likes)}::text::json) as r (video_id bigint, created_at timestamptz)
     where video_id <> all (${unlisted}::bigint[])
    on conflict do nothing
    returning video_id`
  return { created: rows.map(({ video_id }) => video_id), unlisted }
}

/** The ids of the users that items of the file name, null for those not found, and of those for which a row was created. */
interface NamedOutcome {
  ids: (number | null)[]
  created: number[]
}

/** Imports follows of users whose profile the user may see, and who are not banned and not in a block relationship with the user. */
export async function importFollows(
  tx: Db,
  userId: number,
  follows: readonly NamedUser[],
): Promise<NamedOutcome> {
  const { users, ids } = await findUsersByName(
    tx,
    userId,
    follows,
    tx`u.id <> ${userId} and not is_blocked_between(u.id, ${userId})
       and (${canSeeProfile(tx, asMember(userId))}
            or exists (select from follows f where f.follower_id = ${userId} and f.followee_id = u.id))`,
  )
  const rows = await tx<{ id: number }[]>`
    insert into follows (follower_id, followee_id, created_at)
    select ${userId}, id, created_at
      from json_to_recordset(${JSON.stringify(users)}::text::json) as r (id bigint, created_at timestamptz)
    on conflict do nothing
    returning followee_id as id`
  return { ids, created: rows.map(({ id }) => id) }
}

interface NamedUser {
  username: string
  created_at: string
}

/** Users `u` whose name in the file is the current one, or a former one of a user whose profile the user may see. */
export function canUseName(tx: Db, userId: number, name: Fragment): Fragment {
  return tx`(lower(u.username) = lower(${name}) or ${canSeeProfile(tx, asMember(userId))})`
}

/** Files of moderators lead to the users whom members may see. */
function asMember(id: number) {
  return { id, is_moderator: false }
}

/** Users `u` whom the user may block and mute by a name of the file, and those whom they block or mute already. */
function canHide(tx: Db, userId: number): Fragment {
  return tx`u.id <> ${userId} and (${canNameUser(tx, asMember(userId))}
    or exists (select from blocks b where b.blocker_id = ${userId} and b.blocked_id = u.id)
    or exists (select from mutes m where m.user_id = ${userId} and m.muted_id = u.id))`
}

/**
 * Finds users by name; by a former one if the user may see their profile.
 * @param condition a condition on users `u`
 * @returns the id of each, null for those not found; and each user once with what the file has about them
 */
async function findUsersByName<N extends NamedUser>(
  tx: Db,
  userId: number,
  named: readonly N[],
  condition: Fragment,
): Promise<{ users: (N & { id: number })[]; ids: (number | null)[] }> {
  const found = await tx<{ id: number; name: string }[]>`
    select u.id, r.name from unnest(${[...new Set(named.map(({ username }) => username.toLowerCase()))]}::text[]) as r (name)
      join users u on u.id = ${selectNamedUser(tx, tx`r.name`)}
     where u.banned_at is null and ${canUseName(tx, userId, tx`r.name`)} and ${condition}`
  const idByName = new Map(found.map(({ id, name }) => [name, id]))
  const ids = named.map(({ username }) => idByName.get(username.toLowerCase()) ?? null)
  const users = new Map<number, N & { id: number }>()
  named.forEach((item, index) => {
    const id = ids[index] ?? null
    if (id !== null && !users.has(id)) users.set(id, { ...item, id })
  })
  return { users: [...users.values()], ids }
}

/** Imports blocks of users whom the user may name. A trigger locks the users in the usual order and ends follows between them. */
export async function importBlocks(
  tx: Db,
  userId: number,
  blocks: readonly NamedUser[],
): Promise<NamedOutcome> {
  const { users, ids } = await findUsersByName(tx, userId, blocks, canHide(tx, userId))
  const rows = await tx<{ id: number }[]>`
    insert into blocks (blocker_id, blocked_id, created_at)
    select ${userId}, id, created_at
      from json_to_recordset(${JSON.stringify(users)}::text::json) as r (id bigint, created_at timestamptz)
    on conflict do nothing
    returning blocked_id as id`
  return { ids, created: rows.map(({ id }) => id) }
}

/** Imports mutes of users, and returns the outcome of each; null for users who are not found. */
export async function importMutedUsers(
  tx: Db,
  userId: number,
  mutes: readonly NamedUser[],
): Promise<(ListOutcome | null)[]> {
  const { users, ids } = await findUsersByName(tx, userId, mutes, canHide(tx, userId))
  const outcomes = await importMutes(
    tx,
    userId,
    users.map(({ id, created_at }) => ({ muted_id: id, tag: null, created_at })),
  )
  const byUser = new Map(users.map(({ id }, position) => [id, outcomes[position] ?? null]))
  return ids.map((id) => (id === null ? null : (byUser.get(id) ?? null)))
}

/** What became of an entry of a list with a limit. */
export type ListOutcome = { outcome: 'added'; id: number } | { outcome: 'duplicate' | 'too-many' }

interface MuteImport {
  muted_id: number | null
  tag: string | null
  created_at: string
}

/**
 * Imports mutes up to the limit, and returns the outcome of each. The lock of the user's row prevents concurrent imports from
 * exceeding it.
 */
export async function importMutes(
  tx: Db,
  userId: number,
  mutes: readonly MuteImport[],
): Promise<ListOutcome[]> {
  await tx`select from users where id = ${userId} for no key update`
  const positioned = mutes.map((mute, position) => ({ ...mute, position }))
  return tx<ListOutcome[]>`
    with records as (
      select r.*, m.id is not null as exists_already
        from json_to_recordset(${JSON.stringify(positioned)}::text::json)
               as r (position int, muted_id bigint, tag text, created_at timestamptz)
        left join mutes m on m.user_id = ${userId} and (m.muted_id = r.muted_id or m.tag = r.tag)
    ), created as (
      insert into mutes (user_id, muted_id, tag, created_at)
      select ${userId}, muted_id, tag, created_at from records where not exists_already
       order by created_at
       limit greatest(0, ${limits.mutesMax} - (select count(*) from mutes where user_id = ${userId}))
      on conflict do nothing
      returning id, muted_id, tag
    )
    select case when exists_already then 'duplicate' when created.id is null then 'too-many' else 'added' end as outcome,
           created.id
      from records left join created on created.muted_id = records.muted_id or created.tag = records.tag
     order by position`
}

/** Marks videos as watched and returns the ids of those that were not. */
export async function importWatched(
  tx: Db,
  userId: number,
  watched: { video_id: number; created_at: string }[],
): Promise<number[]> {
  const rows = await tx<{ video_id: number }[]>`
    insert into watched_videos (user_id, video_id, watched_at)
    select ${userId}, video_id, max(created_at)
      from json_to_recordset(${JSON.stringify(watched)}::text::json) as r (video_id bigint, created_at timestamptz)
     group by video_id order by video_id
    on conflict do nothing
    returning video_id`
  return rows.map(({ video_id }) => video_id)
}

/** Stores where the user stopped watching videos, the latest of each, and returns the ids of those that had no position. */
export async function importPositions(
  tx: Db,
  userId: number,
  positions: { video_id: number; seconds: number; created_at: string }[],
): Promise<number[]> {
  const rows = await tx<{ video_id: number }[]>`
    insert into playback_positions (user_id, video_id, seconds, updated_at)
    select distinct on (video_id) ${userId}::bigint, video_id, seconds, created_at
      from json_to_recordset(${JSON.stringify(positions)}::text::json)
             as r (video_id bigint, seconds int, created_at timestamptz)
     order by video_id, created_at desc
    on conflict do nothing
    returning video_id`
  return rows.map(({ video_id }) => video_id)
}

/** Returns whether the user had paused the recording of what they watch, other than by the profile of this import. */
export async function isHistoryPaused(db: Db, { id, user_id }: TransferClaim): Promise<boolean> {
  const rows = await db`
    select from users
     where id = ${user_id} and is_history_paused
       and not exists (select from imports i where i.id = ${id} and (i.options ->> 'pauses_history')::boolean)`
  return rows.length > 0
}
