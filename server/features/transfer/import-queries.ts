/** Queries for imports that were started, and the parts that are not imported yet. */
import {
  type Import,
  type ImportColumns,
  type ImportOptions,
  importOutcomes,
} from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { splitCount } from '../../core/http/paging.ts'
import { heartbeatTimeout, maxAttempts, type TransferClaim } from './export-queries.ts'
import type { ForeignFormat } from './formats/detect-format.ts'
import { deletePictures } from './import-files.ts'
import { addReport, type ReportItem } from './import-report.ts'

/**
 * The lists of a file, in the order in which they are imported: collections before their bookmarks, the privacy settings of the
 * profile before what they hide, videos before likes and marks of them, blocks before follows.
 */
export const importKinds = [
  'collections',
  'profile',
  'bookmarks',
  'timed_notes',
  'likes',
  'watched',
  'playback_positions',
  'blocked',
  'following',
  'followed_collections',
  'followed_tags',
  'muted_users',
  'muted_tags',
  'smart_collections',
] as const
export type ImportKind = (typeof importKinds)[number]

/** The columns of an import as its user sees it. */
export function importColumns(db: Db): Fragment {
  const counts = importOutcomes.map((name) =>
    db.unsafe(`'${name}', coalesce((outcomes ->> '${name}')::int, 0)`),
  )
  const isCreated = db`(outcomes ->> 'new')::int > 0 or (outcomes ->> 'changed')::int > 0 or (outcomes ->> 'held')::int > 0`
  return db`id, state, format, is_own_format, source_url, failure, ignored_files, done, total,
    case when state = 'review' then summary end as summary, case when state = 'review' then columns end as columns,
    json_build_object(${joinFragments(db, counts)}) as outcomes, coalesce((outcomes ->> 'videos')::int, 0) as imported_videos,
    coalesce(state in ('done', 'failed') and reported > 0 and (${isCreated}), false) as can_undo,
    (select count(*) from metadata_requests r where r.import_id = imports.id and r.state = 'waiting') as incomplete,
    created_at, finished_at,
    case when state = 'review' then created_at + make_interval(days => ${limits.importReviewDays})
         else finished_at + make_interval(days => ${limits.importRetentionDays}) end as expires_at`
}

function joinFragments(db: Db, fragments: readonly Fragment[]): Fragment {
  return fragments.reduce((joined, fragment) => db`${joined}, ${fragment}`)
}

/** Returns whether the user has an import that is in review or not finished. */
export async function hasOpenImport(db: Db, userId: number): Promise<boolean> {
  const rows = await db`
    select from imports where user_id = ${userId} and state in ('fetching', 'review', 'waiting', 'running', 'undoing')`
  return rows.length > 0
}

/** Creates an import whose file is still being uploaded, and returns its id. */
export async function createImport(db: Db, userId: number): Promise<number> {
  const [row] = await db<[{ id: number }]>`insert into imports (user_id) values (${userId}) returning id`
  return row.id
}

export interface ImportPart {
  kind: ImportKind
  /** The position of its first item among those of its kind. */
  number: number
  items: unknown[]
}

/** Adds a part to an import: of an upload, or of a file that the holder of a claim reads. Returns false if that claim was lost. */
export async function addPart(
  db: Db,
  importId: number,
  attempts: number,
  { kind, number, items }: ImportPart,
): Promise<boolean> {
  const rows = await db`
    with ours as (
      update imports set heartbeat_at = now()
       where id = ${importId} and attempts = ${attempts} and state in ('receiving', 'running') returning id
    )
    insert into import_parts (import_id, kind, number, items)
    select id, ${kind}, ${number}::int, ${JSON.stringify(items)}::text::json from ours
    returning import_id`
  return rows.length > 0
}

/** Deletes an upload that cannot be imported. */
export async function deleteUpload(db: Db, importId: number): Promise<void> {
  const isReceiving = db`id = ${importId} and state = 'receiving'`
  await deletePictures(db, isReceiving)
  await db`delete from imports where ${isReceiving}`
}

/** Queues the undo of a user's finished import. The user's lock prevents a race with an upload. */
export async function startUndo(
  tx: Db,
  userId: number,
  id: number,
): Promise<Import | 'not-undoable' | 'already-running'> {
  await tx`select from users where id = ${userId} for no key update`
  if (await hasOpenImport(tx, userId)) return 'already-running'
  const [found] = await tx<Pick<Import, 'can_undo'>[]>`
    select ${importColumns(tx)} from imports where id = ${id} and user_id = ${userId} for no key update`
  if (!found?.can_undo) return 'not-undoable'
  const [started] = await tx<[Import]>`
    update imports
       set state = 'undoing', finished_at = null, attempts = 0, heartbeat_at = now(), done = 0,
           total = (select sum(value::int) from jsonb_each_text(outcomes) where key in ('new', 'changed', 'held'))
     where id = ${id} and user_id = ${userId} returning ${importColumns(tx)}`
  return started
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

/** An import, or its undo, that a process works on. */
export interface ImportClaim extends TransferClaim {
  state: 'fetching' | 'running' | 'undoing'
  /** Null for a file. */
  source_url: string | null
  /** Null for our own format. */
  detected: ForeignFormat | null
  /** The columns of a CSV file as the user corrected them. */
  columns: ImportColumns | null
  options: ImportOptions
}

/** Claims an import, which continues where it stopped; null if another process works on it or it is finished. */
export async function claimImport(db: Db, id: number): Promise<ImportClaim | null> {
  const [claim] = await db<ImportClaim[]>`
    update imports
       set state = case when state in ('fetching', 'undoing') then state else 'running' end, attempts = attempts + 1, heartbeat_at = now()
     where id = ${id} and attempts < ${maxAttempts}
       and (state = 'waiting' or (state in ('fetching', 'undoing') and attempts = 0)
            or (state in ('fetching', 'running', 'undoing') and heartbeat_at < now() - make_interval(secs => ${heartbeatTimeout})))
    returning id, user_id, attempts, state, source_url, detected, columns, coalesce(options, '{}') as options`
  return claim ?? null
}

/**
 * Locks the import until the transaction ends, and before it the user's row, so that deleting the account waits.
 * @returns false if the claim was lost, or the user was deleted, banned or suspended.
 */
export async function lockImport(tx: Db, { id, user_id, attempts, state }: ImportClaim): Promise<boolean> {
  const users = await tx`
    select from users where id = ${user_id} and banned_at is null and (suspended_until > now()) is not true
       for key share`
  if (users.length === 0) return false
  const rows = await tx`
    update imports set heartbeat_at = now()
     where id = ${id} and attempts = ${attempts} and state = ${state} returning id`
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

/** Deletes an imported part and reports what became of its items. */
export async function finishPart(
  tx: Db,
  claim: TransferClaim,
  part: ImportPart,
  report: readonly ReportItem[],
): Promise<void> {
  await tx`
    delete from import_parts where import_id = ${claim.id} and kind = ${part.kind} and number = ${part.number}`
  await tx`update imports set done = done + ${part.items.length} where id = ${claim.id}`
  await addReport(tx, claim, report)
}

/** Finishes imports for which a condition is true, and deletes what only a running import needs. */
async function finishImports(db: Db, condition: Fragment, state: Import['state']): Promise<void> {
  await deletePictures(db, condition)
  await db`
    with finished as (
      update imports set state = ${state}, finished_at = now(), summary = null, columns = null, detected = null
       where ${condition} returning id
    ), containers as (
      delete from import_containers where import_id in (select id from finished)
    ), files as (
      delete from import_files where import_id in (select id from finished)
    )
    delete from import_parts where import_id in (select id from finished)`
}

/** Finishes an import or undo and deletes its parts. What a failed import added until then stays. */
export async function finishImport(
  db: Db,
  { id, attempts, state }: ImportClaim,
  outcome: 'done' | 'failed' | 'undone',
): Promise<void> {
  await finishImports(db, db`id = ${id} and attempts = ${attempts} and state = ${state}`, outcome)
}

/** Returns imports that no process works on. Those attempted too often are marked as failed. */
export async function findAbandonedImports(db: Db): Promise<Pick<ImportClaim, 'id' | 'state'>[]> {
  const isAbandoned = db`state in ('fetching', 'waiting', 'running', 'undoing')
    and heartbeat_at < now() - make_interval(secs => ${heartbeatTimeout})`
  await finishImports(db, db`attempts >= ${maxAttempts} and ${isAbandoned}`, 'failed')
  return db<Pick<ImportClaim, 'id' | 'state'>[]>`
    select id, state from imports where ${isAbandoned} order by heartbeat_at limit 100`
}

/**
 * Deletes finished imports, reviews and incomplete uploads whose time is over. One per statement, because an import can have
 * 128 MB.
 */
export async function removeOldImports(db: Db): Promise<void> {
  const conditions = [
    db`finished_at < now() - make_interval(days => ${limits.importRetentionDays})`,
    db`state = 'review' and created_at < now() - make_interval(days => ${limits.importReviewDays})`,
    db`state = 'receiving' and heartbeat_at < now() - interval '1 hour'`,
  ]
  for (const condition of conditions) {
    await deletePictures(db, condition)
    let removed: { count: number }
    do {
      // The condition is checked again, because the user may start or undo it meanwhile.
      removed = await db`
        delete from imports where id in (select id from imports where ${condition} limit 1) and ${condition}`
    } while (removed.count > 0)
  }
}
