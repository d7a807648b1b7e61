import type { Mute } from '@reelmark/contract/mutes.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { canNameUser } from '../../../shared/profile-visibility.ts'
import { userSummary } from '../../../shared/user-columns.ts'

/** Columns of mutes `m`, joined with the muted users `u`, if any. */
function muteColumns(db: Db): Fragment {
  return db`m.id, case when u.id is not null then ${userSummary(db, 'u')} end as user, m.tag, m.created_at`
}

/** Locks the user who mutes, so that concurrent calls respect the limit. */
export async function lockUser(tx: TransactionSql, viewerId: number): Promise<void> {
  await tx`select from users where id = ${viewerId} for no key update`
}

/**
 * Returns the new or existing mute; null if the user has the maximum number of mutes or cannot know of the muted user.
 */
export async function createMute(
  tx: TransactionSql,
  viewer: Viewer,
  { user_id, tag }: { user_id: number | null; tag: string | null },
): Promise<Mute | null> {
  const same = tx`m.user_id = ${viewer.id} and (m.muted_id = ${user_id}::bigint or m.tag = ${tag}::text)`
  await tx`
    insert into mutes (user_id, muted_id, tag)
    select ${viewer.id}, ${user_id}::bigint, ${tag}::text
     where (${user_id}::bigint is null or exists (${namedUser(tx, viewer, user_id)}))
       and ${limits.mutesMax} > (select count(*) from mutes where user_id = ${viewer.id})
    on conflict do nothing`
  const [row] = await tx<Mute[]>`
    select ${muteColumns(tx)} from mutes m left join users u on u.id = m.muted_id where ${same}`
  return row ?? null
}

/** Returns whether a viewer can know of a user. */
export async function isKnownUser(db: Db, viewer: Viewer, id: number): Promise<boolean> {
  return (await db`${namedUser(db, viewer, id)}`).length === 1
}

function namedUser(db: Db, viewer: Viewer, id: number | null): Fragment {
  return db`select from users u where u.id = ${id}::bigint and u.banned_at is null and ${canNameUser(db, viewer)}`
}

/** Returns a page of a user's mutes, latest first, or only that of a tag. Mutes of banned users are omitted. */
export async function listMutes(
  db: Db,
  viewerId: number,
  { skip, size }: { skip: number; size: number },
  tag: string | null,
): Promise<{ count: number; results: Mute[] }> {
  const rows = await db<(Mute & { count: number })[]>`
    select count(*) over () as count, ${muteColumns(db)}
      from mutes m left join users u on u.id = m.muted_id
     where m.user_id = ${viewerId} and u.banned_at is null ${tag === null ? db`` : db`and m.tag = ${tag}`}
     order by m.id desc limit ${size} offset ${skip}`
  return { count: rows[0]?.count ?? 0, results: rows }
}

/** Deletes a mute. Returns false if it does not exist or belongs to another user. */
export async function deleteMute(db: Db, viewerId: number, id: number): Promise<boolean> {
  return (await db`delete from mutes where id = ${id} and user_id = ${viewerId} returning id`).length === 1
}
