/**
 * Closing and removing an account in SQL. Each step takes its locks in the usual order
 * (docs/decisions/0002-counters-live-in-triggers.md), videos by id first.
 */
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/**
 * Rows that one transaction takes away: it lasts some ten milliseconds, and whoever likes or saves the same videos
 * waits no longer. Measured: what the triggers do costs more per row the more rows there are.
 */
export const removalBatch = 200

/** Rows that are read at once. */
const maxRows = 10_000

/**
 * Closes an account: from here on nobody signs in to it, and its profile is not there. Name and e-mail are free.
 * @returns whom to write goodbye; null where the password changed since it was read, or they were banned.
 */
export async function closeAccount(
  tx: TransactionSql,
  { id, password_hash }: { id: number; password_hash: string },
): Promise<{ username: string; email: string } | null> {
  // Before the user's row, as those who work on them lock; a part that is being brought in is waited for.
  await tx`delete from imports where user_id = ${id}`
  await tx`delete from exports where user_id = ${id}`
  const [closed] = await tx<{ username: string; email: string }[]>`
    update users u
       set username = made_up.name, email = made_up.name || '@deleted.invalid', password_hash = null,
           bio = '', is_moderator = false, is_verified = false, closed_at = now(), banned_at = now()
      from (select 'deleted-' || left(replace(gen_random_uuid()::text, '-', ''), 20) as name) made_up
     where u.id = ${id} and u.password_hash = ${password_hash} and u.banned_at is null
    returning old.username, old.email`
  return closed ?? null
}

/** Accounts that were closed a minute ago and are still there: whoever was removing them is gone. */
export async function findUnfinishedRemovals(db: Db): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select id from users where closed_at < now() - interval '1 minute' order by closed_at`
  return rows.map(({ id }) => id)
}

interface RemovalStep {
  /** Some of the rows that this takes away; none: it is done. Read at once, so that no batch reads over dead rows. */
  find(db: Db, userId: number): Promise<number[]>
  /** Takes away a batch of them. */
  remove(tx: TransactionSql, userId: number, ids: number[]): Promise<unknown>
}

/** What goes, in this order. */
export const removalSteps: RemovalStep[] = [
  // Notifications first, or deleting bookmarks would. Rows that somebody is just reading up on are for the next round.
  {
    find: (db, userId) =>
      toIds(db<Row[]>`select id from notifications where user_id = ${userId} limit ${maxRows}`),
    remove: (tx, _userId, ids) => tx`
      delete from notifications where id in (
        select id from notifications where id = any (${ids}::bigint[]) for update skip locked)`,
  },
  {
    find: (db, userId) =>
      toIds(db<Row[]>`
        select notification_id as id from notification_actors where actor_id = ${userId} limit ${maxRows}`),
    remove: (tx, userId, ids) => tx`
      delete from notification_actors where actor_id = ${userId} and notification_id in (
        select notification_id from notification_actors
         where actor_id = ${userId} and notification_id = any (${ids}::bigint[]) for update skip locked)`,
  },
  // Comments stay, as of a deleted user.
  {
    find: (db, userId) =>
      toIds(
        db<Row[]>`select id from comments where user_id = ${userId} order by created_at limit ${maxRows}`,
      ),
    remove: (tx, _userId, ids) => tx`
      update comments set user_id = null where id in (
        select id from comments where id = any (${ids}::bigint[]) order by id for no key update)`,
  },
  // Bookmarks, by their collections: the trash, too, is in one.
  {
    find: (db, userId) =>
      toIds(db<Row[]>`
        select b.id from collections c join bookmarks b on b.collection_id = c.id
         where c.user_id = ${userId} limit ${maxRows}`),
    remove: async (tx, _userId, ids) => {
      await tx`select lock_bookmarks(${ids}::bigint[])`
      await tx`delete from bookmarks where id = any (${ids}::bigint[])`
    },
  },
  // Likes, by their videos.
  {
    find: (db, userId) =>
      toIds(db<Row[]>`select video_id as id from likes where user_id = ${userId} limit ${maxRows}`),
    remove: async (tx, userId, ids) => {
      await tx`select from videos where id = any (${ids}::bigint[]) order by id for no key update`
      await tx`delete from likes where user_id = ${userId} and video_id = any (${ids}::bigint[])`
    },
  },
  // Follows, by who is at the other end.
  {
    find: (db, userId) =>
      toIds(db<Row[]>`
        (select followee_id as id from follows where follower_id = ${userId} limit ${maxRows})
        union (select follower_id from follows where followee_id = ${userId} limit ${maxRows})`),
    remove: async (tx, userId, ids) => {
      await tx`
        select from users where id = any (${[...ids, userId]}::bigint[]) order by id for no key update`
      await tx`delete from follows where follower_id = ${userId} and followee_id = any (${ids}::bigint[])`
      await tx`delete from follows where followee_id = ${userId} and follower_id = any (${ids}::bigint[])`
    },
  },
]

type Row = { id: number }

async function toIds(rows: Promise<readonly Row[]>): Promise<number[]> {
  return (await rows).map(({ id }) => id)
}

/**
 * Pictures of a closed account that nobody else uses. Those of videos are never among them: a person's own have keys of
 * their own (core/media-store.ts).
 */
export async function findUserPictures(db: Db, userId: number): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select u.avatar_key as key from users u
     where u.id = ${userId} and u.closed_at is not null and u.avatar_key is not null
       and not exists (select from users o where o.avatar_key = u.avatar_key and o.id <> u.id)`
  return rows.map(({ key }) => key)
}

export async function removeCollections(db: Db, userId: number): Promise<void> {
  await db`delete from collections where user_id = ${userId}`
}

/**
 * The row itself, and with it sessions, tokens, passkeys and whatever else is small. False where somebody holds it still
 * (what was under way when the account was closed), or left something behind.
 */
export async function removeUser(tx: TransactionSql, userId: number): Promise<boolean> {
  // Never waited for: whoever has a foreign key's lock on the row and wants a stronger one would wait behind this one.
  const held = await tx`
    select where exists (select from users where id = ${userId})
       and not exists (select from (select from users where id = ${userId} for update skip locked) mine)`
  if (held.count > 0) return false
  // A statement of its own: it sees what committed while the lock was waited for.
  const left = await tx`
    select where exists (select from likes where user_id = ${userId})
              or exists (select from follows where follower_id = ${userId})
              or exists (select from follows where followee_id = ${userId})
              or exists (select from comments where user_id = ${userId})
              or exists (select from notifications where user_id = ${userId})
              or exists (select from notification_actors where actor_id = ${userId})
              or exists (select from collections where user_id = ${userId})`
  if (left.count > 0) return false
  const removed = await tx`delete from users where id = ${userId} and closed_at is not null`
  // What a report about somebody quotes is their name.
  if (removed.count > 0)
    await tx`
      update reports set snapshot = 'Deleted user' where target_kind = 'user' and target_id = ${userId}`
  return true
}
