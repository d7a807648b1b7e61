import type { PrivacySettings } from '@reelmark/contract/privacy-settings.ts'
import {
  type Profile,
  type SettingFlag,
  settingFlags,
  type updateProfile as updateProfileEndpoint,
} from '@reelmark/contract/profiles.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment, Sql } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { jsonTimestamp } from '../../../core/database/json-timestamp.ts'
import type { Deps } from '../../../core/deps.ts'
import {
  canSeeProfile,
  isProfileForEveryone,
  publicCount,
  sharesList,
  sharesMoreWithMembers,
  syncOwnerNameJob,
  visibleFollowersCount,
} from '../../../shared/profile-visibility.ts'
import { avatarUrl, privacyNames } from '../../../shared/user-columns.ts'
import { andNotBlockedByOwner } from '../../../shared/user-visibility.ts'
import { isNamed } from '../../../shared/usernames.ts'
import { isNotTrashed, isVisible, isVisibleVideo } from '../../../shared/visibility.ts'
import { profileCollectionsJson } from '../../collections/public-api.ts'
import { pinsJson } from '../pins/queries.ts'

type OwnSettings = Pick<
  Required<Profile>,
  | 'email'
  | 'is_owner'
  | 'default_bookmark_orientation'
  | 'default_bookmark_collection'
  | SettingFlag
  | 'notify_by_email'
  | 'is_history_paused'
  | 'suspended_until'
  | keyof PrivacySettings
>

/** A profile as the viewer may see it. `settings` is null for other users than the owner. */
export type ProfileRow = Omit<Profile, keyof OwnSettings> & {
  settings: OwnSettings | null
  /** Whether members see more of the profile than visitors. Not in the response. */
  shares_more_with_members: boolean
}

/** The number of bookmarks of users `u` as others see it. */
export function publicBookmarksCount(db: Db): Fragment {
  return publicCount(
    db,
    db`select b.effective_orientation as orientation from bookmarks b where b.user_id = u.id and ${isVisible(db)}`,
  )
}

/** Selects the number of all bookmarks of users `u`. Up to 10,000 in Watch Later do not count. */
function ownBookmarksCount(db: Db): Fragment {
  return db`
    select least(10000, own.count - later.count)
      from (select count(*) from (
              select from collections c join bookmarks b on b.collection_id = c.id
               where c.user_id = u.id and c.is_watch_later and ${isNotTrashed(db)} limit 10000) found) later
      cross join lateral (
        select count(*) from (
          select from bookmarks b where b.user_id = u.id and ${isNotTrashed(db)} limit 10000 + later.count) found) own`
}

/** Columns of users `u` for a viewer, null for a visitor. Counts stop at 10,000. */
function profileColumns(db: Db, viewerId: number | null): Fragment {
  const viewer = viewerId === null ? null : { id: viewerId }
  return db`u.id as user_id, u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.bio,
      u.is_verified, u.is_moderator, u.created_at,
      ${visibleFollowersCount(db, viewer)} as followers_count,
      case when ${sharesList(db, 'following', viewer)} then u.following_count else 0 end as following_count,
      case when u.id = ${viewerId}::bigint
        then (${ownBookmarksCount(db)})
        else ${publicBookmarksCount(db)}
      end as bookmarks_count,
      case when u.id = ${viewerId}::bigint
        then (select count(*) from (
          select from likes l join videos v on v.id = l.video_id
           where l.user_id = u.id and ${isVisibleVideo(db)} limit 10000) liked)
        when not ${sharesList(db, 'likes', viewer)} then 0
        else ${publicCount(
          db,
          db`select lead.effective_orientation as orientation from likes l join videos v on v.id = l.video_id
               join bookmarks lead on lead.id = v.lead_bookmark_id
              where l.user_id = u.id and ${isVisibleVideo(db)}`,
        )}
      end as likes_count, ${sharesMoreWithMembers(db)} as shares_more_with_members,
      ${profileCollectionsJson(db, viewerId)} as collections, ${pinsJson(db, viewerId)} as pins,
      exists (select from follows f where f.follower_id = ${viewerId}::bigint and f.followee_id = u.id)
        as is_followed,
      ${isProfileForEveryone(db)} as has_feed,
      exists (select from blocks where blocker_id = ${viewerId}::bigint and blocked_id = u.id) as is_blocked,
      (select m.id from mutes m where m.user_id = ${viewerId}::bigint and m.muted_id = u.id) as mute_id,
      case when u.id = ${viewerId}::bigint then json_build_object(
        'email', u.email,
        'is_owner', u.is_owner,
        'default_bookmark_orientation', u.default_bookmark_orientation,
        'default_bookmark_collection', u.default_bookmark_collection,
        ${db.unsafe([...settingFlags, ...privacyNames].map((name) => `'${name}', u.${name}`).join(', '))},
        'notify_by_email', u.notify_by_email,
        'is_history_paused', u.is_history_paused,
        'suspended_until', case when u.suspended_until > now() then
          ${jsonTimestamp(db, db`u.suspended_until`)} end) end as settings`
}

/**
 * Returns a profile, or null if the viewer may not see it: the user is unknown, banned or blocked the viewer. Counts
 * include only content that the viewer may see.
 */
export async function getProfile(
  db: Db,
  username: string,
  viewer: Viewer | null,
): Promise<ProfileRow | null> {
  const [profile] = await db<ProfileRow[]>`
    select ${profileColumns(db, viewer?.id ?? null)}
      from users u
     where ${isNamed(db, username)} and u.banned_at is null and ${canSeeProfile(db, viewer)} ${andNotBlockedByOwner(db, db`u.id`, viewer)}`
  return profile ?? null
}

/** The fields to change. `avatar_key` is a media key, or null for the default picture. */
export type ProfileChanges = Omit<Input<typeof updateProfileEndpoint>['body'], 'avatar'> & {
  avatar_key?: string | null
}

type UpdatedProfile = ProfileRow & { old_avatar_key: string | null }

/**
 * Changes fields of the viewer's own profile. Returns the whole profile and the key of the previous avatar, or null if
 * the username or the collection is not the viewer's.
 */
export async function updateProfile(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  username: string,
  viewerId: number,
  changes: ProfileChanges,
): Promise<UpdatedProfile | null> {
  const update =
    changes.avatar_key !== undefined || changes.profile_visibility !== undefined
      ? updateInTransaction(db, jobs, username, viewerId, changes)
      : writeChanges(db, username, viewerId, changes)
  const [profile] = await update.catch(collectionDeletedError)
  return profile ?? null
}

/**
 * Writes changes that include the avatar or the visibility of the profile. Locks the user first, so that each of several
 * concurrent uploads reads the picture that it replaces. The lock is a statement of its own, because an update that also
 * locked the row deadlocked with others.
 */
function updateInTransaction(
  db: Sql,
  jobs: Jobs,
  username: string,
  viewerId: number,
  changes: ProfileChanges,
): Promise<UpdatedProfile[]> {
  return db.begin(async (tx) => {
    const [locked] = await tx<{ avatar_key: string | null }[]>`
      select avatar_key from users where id = ${viewerId} for no key update`
    if (changes.profile_visibility !== undefined) await jobs.send(tx, syncOwnerNameJob, { user_id: viewerId })
    return writeChanges(tx, username, viewerId, changes, locked?.avatar_key)
  })
}

async function writeChanges(
  db: Db,
  username: string,
  viewerId: number,
  changes: ProfileChanges,
  oldAvatarKey: string | null = null,
): Promise<UpdatedProfile[]> {
  const { default_bookmark_collection: collectionId = null } = changes
  return db<UpdatedProfile[]>`
    with changed as (
      update users u
         set bio = coalesce(${changes.bio ?? null}, bio),
             default_bookmark_orientation =
               coalesce(${changes.default_bookmark_orientation ?? null}, default_bookmark_orientation),
             default_bookmark_collection = case
               when ${changes.default_bookmark_collection !== undefined} then ${collectionId}::bigint
               else default_bookmark_collection end,
             avatar_key = case
               when ${changes.avatar_key !== undefined} then ${changes.avatar_key ?? null} else avatar_key end,
             ${setColumns(db, changes)}
             notify_by_email = coalesce(${changes.notify_by_email ?? null}, notify_by_email),
             is_history_paused = coalesce(${changes.is_history_paused ?? null}, is_history_paused)
       where u.id = ${viewerId} and ${isNamed(db, username)} and u.banned_at is null
         and (${collectionId}::bigint is null
              or exists (select from collections c where c.id = ${collectionId}::bigint and c.user_id = u.id))
      returning u.*)
    select ${profileColumns(db, viewerId)}, ${oldAvatarKey}::text as old_avatar_key from changed u`
}

/** Assigns the settings to change, each followed by a comma; the others stay. */
function setColumns(db: Db, changes: ProfileChanges): Fragment {
  return [...settingFlags, ...privacyNames].reduce((list, name) => {
    const column = db.unsafe(name)
    return db`${list} ${column} = coalesce(${changes[name] ?? null}, ${column}),`
  }, db``)
}

/** Handles a foreign key violation: the collection was deleted while the statement ran. */
function collectionDeletedError(error: { code?: string }): [] {
  if (error.code === '23503') return []
  throw error
}

/** Returns the id of the user with a username or former one, or null if the username is unknown or the user is banned. */
export async function findUserByName(db: Db, username: string): Promise<number | null> {
  const [user] = await db<{ id: number }[]>`
    select u.id from users u where ${isNamed(db, username)} and u.banned_at is null`
  return user?.id ?? null
}
