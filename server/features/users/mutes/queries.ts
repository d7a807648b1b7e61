import type { Mute } from '@reelmark/contract/mutes.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { userSummary } from '../../../shared/user-columns.ts'

/** Columns of mutes `m` of users `u`, who are there where a person is muted. */
function muteColumns(db: Db): Fragment {
  return db`m.id, case when u.id is not null then ${userSummary(db, 'u')} end as user, m.tag, m.created_at`
}

/** Locks who mutes, so that of many at once no more than allowed come through. */
export async function lockUser(tx: TransactionSql, me: number): Promise<void> {
  await tx`select from users where id = ${me} for no key update`
}

/** The mute, made or there already; null where there are as many as there can be, or nobody of that id. */
export async function createMute(
  tx: TransactionSql,
  me: number,
  { user_id, tag }: { user_id: number | null; tag: string | null },
): Promise<Mute | null> {
  const same = tx`m.user_id = ${me} and (m.muted_id = ${user_id}::bigint or m.tag = ${tag}::text)`
  await tx`
    insert into mutes (user_id, muted_id, tag)
    select ${me}, ${user_id}::bigint, ${tag}::text
     where (${user_id}::bigint is null or exists (
              select from users where id = ${user_id}::bigint and banned_at is null))
       and ${limits.mutesMax} > (select count(*) from mutes where user_id = ${me})
    on conflict do nothing`
  const [row] = await tx<Mute[]>`
    select ${muteColumns(tx)} from mutes m left join users u on u.id = m.muted_id where ${same}`
  return row ?? null
}

export async function userExists(db: Db, id: number): Promise<boolean> {
  return (await db`select from users where id = ${id} and banned_at is null`).length === 1
}

/** The latest first; with a tag that one's alone. Whoever was banned meanwhile is not among them. */
export async function listMutes(
  db: Db,
  me: number,
  { skip, size }: { skip: number; size: number },
  tag: string | null,
): Promise<{ count: number; results: Mute[] }> {
  const rows = await db<(Mute & { count: number })[]>`
    select count(*) over () as count, ${muteColumns(db)}
      from mutes m left join users u on u.id = m.muted_id
     where m.user_id = ${me} and u.banned_at is null ${tag === null ? db`` : db`and m.tag = ${tag}`}
     order by m.id desc limit ${size} offset ${skip}`
  return { count: rows[0]?.count ?? 0, results: rows }
}

/** False where it is not there, or not theirs. */
export async function deleteMute(db: Db, me: number, id: number): Promise<boolean> {
  return (await db`delete from mutes where id = ${id} and user_id = ${me} returning id`).length === 1
}
