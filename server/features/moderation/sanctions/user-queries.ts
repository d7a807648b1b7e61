/** Users as moderators see them, their roles, and the visibility of banned users' bookmarks. */

import type { UserHistory } from '@reelmark/contract/sanctions.ts'
import type { Db, Fragment, Sql } from '../../../core/database/database.ts'
import { jsonTimestamp } from '../../../core/database/json-timestamp.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { bookmarkBatchSize } from '../../../shared/batch-size.ts'
import { userSummary } from '../../../shared/user-columns.ts'
import { isNamed } from '../../../shared/usernames.ts'
import { hasLead, isOutdated, isPublic } from '../../../shared/visibility.ts'
import { audit } from '../audit/audit-log.ts'
import { readDecisions } from '../cases/case-queries.ts'
import { holdPublished } from '../content-rules/hold-published.ts'
import { currentRules } from '../content-rules/screen-content.ts'
import type { Moderator } from '../decisions/decision-queries.ts'

/** Counts reports `r` that match by status: a JSON object. */
function countByStatus(db: Db, where: Fragment): Fragment {
  return db`(select json_build_object(
      'open', count(*) filter (where r.status = 'open'), 'approved', count(*) filter (where r.status = 'approved'),
      'rejected', count(*) filter (where r.status = 'rejected')) from reports r where ${where})`
}

/** Returns the history of a user, banned ones too, without private bookmarks; null if no user has or had this name. */
export async function getUserHistory(db: Db, username: string): Promise<UserHistory | null> {
  const [record] = await db<(Omit<UserHistory, 'decisions'> & { id: number })[]>`
    select u.id, ${userSummary(db, 'u')} as user, u.is_moderator, u.is_owner, u.created_at, u.banned_at, u.ban_reason,
           (select coalesce(json_agg(json_build_object('username', f.username,
                     'changed_at', ${jsonTimestamp(db, db`f.changed_at`)}) order by f.changed_at desc), '[]')
              from former_usernames f where f.user_id = u.id) as former_usernames,
           case when u.suspended_until > now() then u.suspended_until end as suspended_until,
           (select count(*) from (select from bookmarks b join collections c on c.id = b.collection_id
                                   where b.user_id = u.id and is_shared(b.access, c.access, b.deleted_at, null)
                                   limit 10000) counted) as bookmarks_count,
           (select count(*) from (select from comments c where c.user_id = u.id limit 10000) counted) as comments_count,
           ${countByStatus(db, db`r.reporter_id = u.id`)} as reports_made,
           ${countByStatus(db, db`r.user_id = u.id`)} as reports_received,
           (select coalesce(json_agg(json_build_object('id', recent.id, 'title', recent.title,
                     'created_at', ${jsonTimestamp(db, db`recent.created_at`)}) order by recent.created_at desc, recent.id desc), '[]')
              from (select b.id, b.title, b.created_at from bookmarks b
                     where b.user_id = u.id and ${isPublic(db)}
                     order by b.created_at desc, b.id desc limit 10) recent) as recent_bookmarks,
           (select coalesce(json_agg(json_build_object('id', recent.id, 'video_id', recent.video_id,
                     'bookmark_id', recent.lead_bookmark_id, 'content', recent.content,
                     'created_at', ${jsonTimestamp(db, db`recent.created_at`)}) order by recent.created_at desc, recent.id desc), '[]')
              from (select c.id, c.video_id, v.lead_bookmark_id, c.content, c.created_at from comments c
                      join videos v on v.id = c.video_id and ${hasLead(db)}
                     where c.user_id = u.id order by c.created_at desc, c.id desc limit 10) recent) as recent_comments
      from users u where ${isNamed(db, username)} and u.closed_at is null`
  if (record === undefined) return null
  const { id, ...rest } = record
  // Decisions about a video have no user: they are found through the reports of this user's bookmarks.
  const isAboutUser = db`d.id in (select own.id from moderation_decisions own where own.user_id = ${id}
    union select r.decision_id from reports r where r.user_id = ${id} and r.decision_id is not null)`
  return { ...rest, decisions: await readDecisions(db, isAboutUser) }
}

export interface FoundUser {
  user: UserHistory['user']
  is_moderator: boolean
  is_owner: boolean
  banned_at: string | null
  suspended_until: string | null
  created_at: string
}

/** Returns users whose name begins with `q`, by name, and their number. One statement. */
export async function searchUsers(
  db: Db,
  { q = '', only }: { q?: string; only?: 'banned' | 'suspended' | 'moderators' | 'verified' },
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: FoundUser[] }> {
  const kinds = {
    banned: db`and u.banned_at is not null`,
    suspended: db`and u.suspended_until is not null and u.suspended_until > now()`,
    moderators: db`and u.is_moderator`,
    verified: db`and u.is_verified`,
  }
  const start = `${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const where = db`u.closed_at is null and lower(u.username) like ${start} ${only === undefined ? db`` : kinds[only]}`
  const rows = await db<(FoundUser & { count: number })[]>`
    select total.count, page.*
      from (select count(*)::int as count from (select from users u where ${where} limit 10000) counted) total
      left join (
        select ${userSummary(db, 'u')} as user, u.is_moderator, u.is_owner, u.banned_at,
               case when u.suspended_until > now() then u.suspended_until end as suspended_until, u.created_at,
               lower(u.username) as name
          from users u where ${where} order by lower(u.username) limit ${size} offset ${skip}) page on true
     order by page.name`
  return { count: rows[0]?.count ?? 0, results: rows.filter(({ user }) => user !== null) }
}

export interface UserRoles {
  id: number
  username: string
  is_moderator: boolean
  is_verified: boolean
}

/**
 * Makes a user a moderator or verified, or ends that.
 * @throws ApiError('not-found'); ('cannot-target-self') for the own moderator role; ('forbidden') if the caller lost the
 * role that it requires, or if the moderator role of an owner would change.
 */
export async function setRole(
  db: Db,
  moderator: Moderator,
  id: number,
  change: { is_moderator?: boolean; is_verified?: boolean },
): Promise<UserRoles> {
  if (change.is_moderator !== undefined && id === moderator.id) throw new ApiError('cannot-target-self')
  const requiresOwner = change.is_moderator !== undefined
  const locked = await db<(UserRoles & { is_owner: boolean })[]>`
    select id, username, is_moderator, is_owner, is_verified from users
     where id in (${id}, ${moderator.id}) and banned_at is null order by id for no key update`
  // Checked under the lock, because the operator may dismiss the caller at the same moment.
  const caller = locked.find((user) => user.id === moderator.id)
  if (!(requiresOwner ? caller?.is_owner : caller?.is_moderator)) throw new ApiError('forbidden')
  const before = locked.find((user) => user.id === id)
  if (before === undefined) throw new ApiError('not-found')
  if (requiresOwner && before.is_owner) throw new ApiError('forbidden')
  const after = { ...before, ...change }
  const { is_moderator, is_verified } = after
  await db`update users set is_moderator = ${is_moderator}, is_verified = ${is_verified} where id = ${id}`
  const action =
    change.is_moderator === undefined
      ? is_verified
        ? 'verify'
        : 'unverify'
      : is_moderator
        ? 'promote'
        : 'demote'
  const flags = ({ is_moderator, is_verified }: UserRoles) => ({ is_moderator, is_verified })
  await audit(db, {
    actor: moderator,
    action,
    target_kind: 'user',
    target_id: id,
    before: flags(before),
    after: flags(after),
  })
  return after
}

/** Sent when a user is banned or unbanned, so that their bookmarks are hidden or shown. */
export const syncBannedUserJob = { name: 'sync-banned-user' }

/** Updates the visibility of a user's bookmarks after a ban or its end, in batches, and returns how many changed. */
export async function syncBannedUserBookmarks(db: Sql, userId: number): Promise<number> {
  const rules = await currentRules(db)
  let synced = 0
  let after = 0
  for (;;) {
    const rows = await db<{ id: number }[]>`
      select b.id from bookmarks b join collections c on c.id = b.collection_id join users u on u.id = b.user_id
       where b.user_id = ${userId} and b.id > ${after} and ${isOutdated(db)}
       order by b.id limit ${bookmarkBatchSize}`
    if (rows.length === 0) return synced
    const ids = rows.map(({ id }) => id)
    await db.begin(async (tx) => {
      await tx`select lock_bookmarks(${ids}::bigint[])`
      await holdPublished(tx, rules, ids, () => tx`select refresh_bookmark_flags(${ids}::bigint[])`)
    })
    synced += ids.length
    after = ids.at(-1) ?? after
  }
}
