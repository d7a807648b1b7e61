/**
 * Queries for closing and removing an account. Each step locks rows in the order used everywhere
 * (docs/decisions/0002-counters-live-in-triggers.md): videos by id first.
 */
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/**
 * Rows deleted per transaction, which then lasts some ten milliseconds and delays likes and saves of the same videos no
 * longer than that. Larger batches cost more per row, because of the triggers (measured).
 */
export const removalBatch = 200

/** Maximum number of ids to read at a time. */
const maxRows = 10_000

/**
 * Closes an account: it cannot be signed in to, its profile is not found, and its usernames and e-mail address are free.
 * @returns the recipient of the last mail, if the address was confirmed; null if the password changed since it was read,
 * or the user is banned
 */
export async function closeAccount(
  tx: TransactionSql,
  { id, password_hash }: { id: number; password_hash: string | null },
): Promise<{ confirmed_email: string | null } | null> {
  // Before locking the user, like all other code that locks both. Waits for a running import of a part.
  await deletePictures(tx, id)
  await tx`delete from imports where user_id = ${id}`
  await tx`delete from exports where user_id = ${id}`
  await tx`delete from former_usernames where user_id = ${id}`
  const [closed] = await tx<{ confirmed_email: string | null }[]>`
    update users u
       set username = replacement.name, email = replacement.name || '@deleted.invalid', email_confirmed_at = null,
           password_hash = null,
           bio = '', is_moderator = false, is_owner = false, is_verified = false, closed_at = now(), banned_at = now()
      from (select 'deleted-' || left(replace(gen_random_uuid()::text, '-', ''), 20) as name) replacement
     where u.id = ${id} and u.password_hash is not distinct from ${password_hash} and u.banned_at is null
    returning case when old.email_confirmed_at is not null then old.email end as confirmed_email`
  return closed ?? null
}

/** Deletes the pictures of a user's imports in several statements, because they can have a gigabyte. */
async function deletePictures(tx: TransactionSql, userId: number): Promise<void> {
  let deleted: { count: number }
  do {
    deleted = await tx`
      delete from import_pictures where (import_id, name) in (
        select p.import_id, p.name from imports i join import_pictures p on p.import_id = i.id
         where i.user_id = ${userId} limit 50)`
  } while (deleted.count > 0)
}

/** Returns accounts that were closed over a minute ago and still exist, because the process that removed them ended. */
export async function findUnfinishedRemovals(db: Db): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select id from users where closed_at < now() - interval '1 minute' order by closed_at`
  return rows.map(({ id }) => id)
}

interface RemovalStep {
  /**
   * Returns ids of rows to remove, none when finished. Many are read at a time, so that batches do not scan dead rows.
   */
  find(db: Db, userId: number): Promise<number[]>
  /** Removes a batch of them. */
  remove(tx: TransactionSql, userId: number, ids: number[]): Promise<unknown>
}

/** The steps of a removal, in order. */
export const removalSteps: RemovalStep[] = [
  // Notifications first, because deleting bookmarks would delete them too. Rows that are locked are left to the next
  // round.
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
  // The file that the user was uploading, which can have a gigabyte.
  {
    find: (db, userId) =>
      toIds(db<Row[]>`
        select c.number as id from uploads u join upload_chunks c on c.upload_id = u.id
         where u.user_id = ${userId} limit 25`),
    remove: (tx, userId, ids) => tx`
      delete from upload_chunks where number = any (${ids}::bigint[])
         and upload_id in (select id from uploads where user_id = ${userId})`,
  },
  // Comments stay, without an author.
  {
    find: (db, userId) =>
      toIds(
        db<Row[]>`select id from comments where user_id = ${userId} order by created_at limit ${maxRows}`,
      ),
    remove: (tx, _userId, ids) => tx`
      update comments set user_id = null where id in (
        select id from comments where id = any (${ids}::bigint[]) order by id for no key update)`,
  },
  // Followers of the user's collections and channels. What the user follows is little and deleted with the user.
  {
    find: (db, userId) =>
      toIds(db<Row[]>`
        (select f.id from collections c join followed_lists f on f.collection_id = c.id
          where c.user_id = ${userId} limit ${maxRows})
        union all (select f.id from collections c join channels ch on ch.collection_id = c.id
                     join followed_lists f on f.channel_id = ch.id
                    where c.user_id = ${userId} limit ${maxRows})`),
    remove: (tx, _userId, ids) => tx`delete from followed_lists where id = any (${ids}::bigint[])`,
  },
  // Bookmarks, through their collections, which also contain the trash.
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
  // Likes; their videos are locked first.
  {
    find: (db, userId) =>
      toIds(db<Row[]>`select video_id as id from likes where user_id = ${userId} limit ${maxRows}`),
    remove: async (tx, userId, ids) => {
      await tx`select from videos where id = any (${ids}::bigint[]) order by id for no key update`
      await tx`delete from likes where user_id = ${userId} and video_id = any (${ids}::bigint[])`
    },
  },
  // Follows in both directions; the other users are locked first.
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

/** Returns the media key of a user's avatar, or null. */
export async function findAvatar(db: Db, userId: number): Promise<string | null> {
  const [user] = await db<{ avatar_key: string | null }[]>`select avatar_key from users where id = ${userId}`
  return user?.avatar_key ?? null
}

export async function removeCollections(db: Db, userId: number): Promise<void> {
  await db`delete from collections where user_id = ${userId}`
}

/**
 * Deletes the user's row, and with it sessions, tokens, passkeys and other small data. Returns false if a transaction
 * that started before the account was closed still locks the row, or data of the user is left.
 */
export async function removeUser(tx: TransactionSql, userId: number): Promise<boolean> {
  // Does not wait for the lock: a transaction that wants to upgrade its foreign key lock would then wait for this one.
  const locked = await tx`
    select where exists (select from users where id = ${userId})
       and not exists (select from (select from users where id = ${userId} for update skip locked) unlocked)`
  if (locked.count > 0) return false
  // A separate statement, which sees what was committed while waiting for the lock.
  const remaining = await tx`
    select where exists (select from likes where user_id = ${userId})
              or exists (select from follows where follower_id = ${userId})
              or exists (select from follows where followee_id = ${userId})
              or exists (select from comments where user_id = ${userId})
              or exists (select from notifications where user_id = ${userId})
              or exists (select from notification_actors where actor_id = ${userId})
              or exists (select from collections where user_id = ${userId})`
  if (remaining.count > 0) return false
  const removed = await tx`delete from users where id = ${userId} and closed_at is not null`
  // The snapshot of a report about a user is their username.
  if (removed.count > 0)
    await tx`
      update reports set snapshot = 'Deleted user' where target_kind = 'user' and target_id = ${userId}`
  return true
}
