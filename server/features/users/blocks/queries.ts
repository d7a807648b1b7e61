import type { Block } from '@reelmark/contract/blocks.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { canNameUser } from '../../../shared/profile-visibility.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'

/** Blocks a user; a trigger ends follows between the two. Returns false if the viewer cannot know of the user. */
export async function blockUser(db: Db, viewer: Viewer, id: number): Promise<boolean> {
  const rows = await db`
    with target as (select u.id from users u where u.id = ${id} and u.banned_at is null and ${canNameUser(db, viewer)}),
    inserted as (insert into blocks (blocker_id, blocked_id) select ${viewer.id}, id from target on conflict do nothing)
    select from target`
  return rows.length === 1
}

/** Unblocks a user, who may have been banned since. Returns false if the viewer cannot know of the user. */
export async function unblockUser(db: Db, viewer: Viewer, id: number): Promise<boolean> {
  const rows = await db`
    with deleted as (delete from blocks where blocker_id = ${viewer.id} and blocked_id = ${id} returning blocked_id)
    select from users u
     where u.id = ${id} and (u.id in (select blocked_id from deleted) or u.banned_at is null and ${canNameUser(db, viewer)})`
  return rows.length === 1
}

export async function listBlocks(
  db: Db,
  viewerId: number,
  request: PageRequest,
): Promise<{ count: number; rows: (Block & { key: number })[] }> {
  const rows = await db<(Block & { key: number; count: number })[]>`
    select total.count, page.*
      from (select count(*) from blocks b join users u on u.id = b.blocked_id
             where b.blocker_id = ${viewerId} and u.banned_at is null) total
      left join (
        select u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.is_verified, b.created_at as blocked_at,
               ${cursorKey(db, db`b.created_at`)} as key
          from blocks b join users u on u.id = b.blocked_id
         where b.blocker_id = ${viewerId} and u.banned_at is null
           ${timeOrderedPage(db, request, db`b.created_at`, db`b.blocked_id`)}) page on true
     order by page.key desc, page.id desc`
  const { count, results } = splitCount(rows)
  return { count, rows: results }
}
