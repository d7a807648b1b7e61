/** Queries for imports and the parts that are not imported yet. */
import type { Import } from '@reelmark/contract/transfer.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { splitCount } from '../../core/http/paging.ts'
import { heartbeatTimeout, maxAttempts, type TransferClaim } from './export-queries.ts'
import type { Problem } from './rules.ts'

/**
 * The lists of a file, in the order in which they are imported: collections before their bookmarks, videos before likes and
 * marks of them, blocks before follows.
 */
export const importKinds = [
  'collections',
  'profile',
  'bookmarks',
  'timed_notes',
  'likes',
  'watched',
  'blocked',
  'following',
  'followed_collections',
  'followed_tags',
  'muted_users',
  'muted_tags',
  'smart_collections',
] as const
export type ImportKind = (typeof importKinds)[number]

function importColumns(db: Db): Fragment {
  return db`id, state, done, total, added, duplicates, failed, problems, created_at, finished_at`
}

export async function isImporting(db: Db, userId: number): Promise<boolean> {
  const rows = await db`select from imports where user_id = ${userId} and state in ('waiting', 'running')`
  return rows.length > 0
}

/** Creates an import whose file is still being uploaded, and returns its id. */
export async function createImport(db: Db, userId: number): Promise<number> {
  const [row] = await db<[{ id: number }]>`insert into imports (user_id) values (${userId}) returning id`
  return row.id
}

export async function addPart(
  db: Db,
  importId: number,
  { kind, number, items }: { kind: ImportKind; number: number; items: unknown[] },
): Promise<void> {
  await db`
    insert into import_parts (import_id, kind, number, items)
    values (${importId}, ${kind}, ${number}, ${JSON.stringify(items)}::text::json)`
}

export async function discardImport(db: Db, importId: number): Promise<void> {
  await db`delete from imports where id = ${importId} and state = 'receiving'`
}

/** Records what an upload contains that cannot be imported. */
export async function recordProblems(
  db: Db,
  importId: number,
  { failed, problems }: { failed: number; problems: Problem[] },
): Promise<void> {
  await db`
    update imports set failed = ${failed}, problems = ${JSON.stringify(problems)}::text::jsonb
     where id = ${importId} and state = 'receiving'`
}

/** Queues an uploaded import; null if another import of the user is running. The user's lock prevents a race. */
export async function queueImport(
  tx: Db,
  { id, user_id, total }: { id: number; user_id: number; total: number },
): Promise<Import | null> {
  await tx`select from users where id = ${user_id} for no key update`
  if (await isImporting(tx, user_id)) return null
  const [queued] = await tx<Import[]>`
    update imports set state = 'waiting', total = ${total}, heartbeat_at = now()
     where id = ${id} and state = 'receiving' returning ${importColumns(tx)}`
  return queued ?? null
}

export async function listImports(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: Import[] }> {
  const isListed = db`user_id = ${userId} and state <> 'receiving'`
  const rows = await db<(Import & { count: number })[]>`
    select total.count, i.*
      from (select count(*) from imports where ${isListed}) total
      left join (select ${importColumns(db)} from imports where ${isListed}
                  order by id desc limit ${size} offset ${skip}) i on true
     order by i.id desc`
  return splitCount(rows)
}

export async function getImport(db: Db, userId: number, id: number): Promise<Import | null> {
  const [found] = await db<Import[]>`
    select ${importColumns(db)} from imports
     where id = ${id} and user_id = ${userId} and state <> 'receiving'`
  return found ?? null
}

/** Claims an import, which continues after its last part; null if another process works on it or it is finished. */
export async function claimImport(db: Db, id: number): Promise<TransferClaim | null> {
  const [claim] = await db<TransferClaim[]>`
    update imports set state = 'running', attempts = attempts + 1, heartbeat_at = now()
     where id = ${id} and attempts < ${maxAttempts}
       and (state = 'waiting' or (state = 'running' and heartbeat_at < now() - make_interval(secs => ${heartbeatTimeout})))
    returning id, user_id, attempts`
  return claim ?? null
}

/**
 * Locks the import until the transaction ends, and before it the user's row, so that deleting the account waits.
 * @returns false if the claim was lost, or the user was deleted, banned or suspended.
 */
export async function lockImport(tx: Db, { id, user_id, attempts }: TransferClaim): Promise<boolean> {
  const users = await tx`
    select from users where id = ${user_id} and banned_at is null and (suspended_until > now()) is not true
       for key share`
  if (users.length === 0) return false
  const rows = await tx`
    update imports set heartbeat_at = now()
     where id = ${id} and attempts = ${attempts} and state = 'running' returning id`
  return rows.length > 0
}

/** Returns the next part of a kind that is not imported yet, or null. */
export async function nextPart<Item>(
  db: Db,
  { id }: TransferClaim,
  kind: ImportKind,
): Promise<{ number: number; items: Item[] } | null> {
  const [part] = await db<{ number: number; items: Item[] }[]>`
    select number, items from import_parts where import_id = ${id} and kind = ${kind} order by number limit 1`
  return part ?? null
}

export interface ImportOutcome {
  added: number
  duplicates: number
  problems: Problem[]
}

/** Deletes an imported part and adds its outcome to the counts. */
export async function finishPart(
  tx: Db,
  { id }: TransferClaim,
  part: { kind: ImportKind; number: number; items: unknown[] },
  { added, duplicates, problems }: ImportOutcome,
): Promise<void> {
  await tx`delete from import_parts where import_id = ${id} and kind = ${part.kind} and number = ${part.number}`
  await tx`
    update imports
       set done = done + ${part.items.length}, added = added + ${added}, duplicates = duplicates + ${duplicates},
           failed = failed + ${problems.length},
           problems = jsonb_path_query_array(problems || ${JSON.stringify(problems.slice(0, 100))}::text::jsonb,
                                             '$[0 to 99]')
     where id = ${id}`
}

/** Finishes an import and deletes its parts. What a failed import added until then stays. */
export async function finishImport(
  db: Db,
  { id, attempts }: TransferClaim,
  state: 'done' | 'failed',
): Promise<void> {
  await db`
    with finished as (
      update imports set state = ${state}, finished_at = now()
       where id = ${id} and attempts = ${attempts} and state = 'running' returning id
    ), containers as (
      delete from import_containers where import_id in (select id from finished)
    )
    delete from import_parts where import_id in (select id from finished)`
}

/** Returns the ids of imports that no process works on. Those attempted too often are marked as failed. */
export async function findAbandonedImports(db: Db): Promise<number[]> {
  const isAbandoned = db`heartbeat_at < now() - make_interval(secs => ${heartbeatTimeout})`
  await db`
    with finished as (
      update imports set state = 'failed', finished_at = now()
       where state in ('waiting', 'running') and attempts >= ${maxAttempts} and ${isAbandoned} returning id
    ), containers as (
      delete from import_containers where import_id in (select id from finished)
    )
    delete from import_parts where import_id in (select id from finished)`
  const rows = await db<{ id: number }[]>`
    select id from imports where state in ('waiting', 'running') and ${isAbandoned} order by heartbeat_at limit 100`
  return rows.map(({ id }) => id)
}

/** Deletes imports a month after they finished, and uploads that were never completed, ten per statement. */
export async function removeOldImports(db: Db): Promise<void> {
  let removed: { count: number }
  do {
    removed = await db`
      delete from imports where id in (
        select id from imports
         where finished_at < now() - interval '30 days'
            or (state = 'receiving' and heartbeat_at < now() - interval '1 hour')
         limit 10)`
  } while (removed.count > 0)
}
