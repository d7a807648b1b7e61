import type { Block } from '@reelmark/contract/blocks.ts'
import type { Db } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'

/** Follows between the two end by a trigger. False where there is nobody of that id. */
export async function blockUser(db: Db, me: number, id: number): Promise<boolean> {
  const rows = await db`
    with them as (select id from users where id = ${id} and banned_at is null),
    made as (insert into blocks (blocker_id, blocked_id) select ${me}, id from them on conflict do nothing)
    select from them`
  return rows.length === 1
}

/** Also of somebody who was banned since. False where there is nobody of that id. */
export async function unblockUser(db: Db, me: number, id: number): Promise<boolean> {
  const rows = await db`
    with gone as (delete from blocks where blocker_id = ${me} and blocked_id = ${id} returning blocked_id)
    select from users where id = ${id} and (banned_at is null or id in (select blocked_id from gone))`
  return rows.length === 1
}

export async function listBlocks(
  db: Db,
  me: number,
  part: PageRequest,
): Promise<{ count: number; rows: (Block & { key: number })[] }> {
  const rows = await db<(Block & { key: number; count: number })[]>`
    select (select count(*) from blocks b join users u on u.id = b.blocked_id
             where b.blocker_id = ${me} and u.banned_at is null) as count, page.*
      from (select 1) always
      left join (
        select u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.is_verified, b.created_at as blocked_at,
               ${cursorKey(db, db`b.created_at`)} as key
          from blocks b join users u on u.id = b.blocked_id
         where b.blocker_id = ${me} and u.banned_at is null
           ${timeOrderedPage(db, part, db`b.created_at`, db`b.blocked_id`)}) page on true
     order by page.key desc, page.id desc`
  return { count: rows[0]?.count ?? 0, rows: rows.filter(({ id }) => id !== null) }
}
