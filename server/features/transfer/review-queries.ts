/** Queries for imports in review: what their users see and choose before anything is imported. */
import type { Import, ImportColumns, ImportOptions, ImportSummary } from '@reelmark/contract/imports.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { ForeignFormat } from './formats/detect-format.ts'
import { deletePictures } from './import-files.ts'
import { hasOpenImport, importColumns } from './import-queries.ts'

/** How many finished imports of a user are stored with their reports. */
const maxReports = 10

/** What is known of a file once it was read. */
export interface ReadFile {
  format: string
  /** Null for our own format. */
  detected: ForeignFormat | null
  ignored_files: number
  summary: ImportSummary
  columns: ImportColumns | null
  /** Items to import. Not known of other tools' files until they are prepared. */
  total: number
}

/**
 * Shows an uploaded import to its user; null if another import of the user is open. The user's lock prevents a race. Deletes the
 * oldest imports beyond those that are stored.
 */
export async function openReview(
  tx: Db,
  { id, user_id, file }: { id: number; user_id: number; file: ReadFile },
): Promise<Import | null> {
  await tx`select from users where id = ${user_id} for no key update`
  if (await hasOpenImport(tx, user_id)) return null
  await removeOldReports(tx, user_id)
  const [opened] = await tx<Import[]>`
    update imports set ${reviewAssignments(tx, file)}
     where id = ${id} and user_id = ${user_id} and state = 'receiving' returning ${importColumns(tx)}`
  return opened ?? null
}

/** Deletes the oldest finished imports of a user beyond those that are stored, so that there is room for another one. */
export async function removeOldReports(tx: Db, userId: number): Promise<void> {
  await tx`
    delete from imports where id in (
      select id from imports where user_id = ${userId} and finished_at is not null
       order by id desc offset ${maxReports - 1})`
}

/** Returns the assignments that put an import into review. */
export function reviewAssignments(db: Db, file: ReadFile): Fragment {
  return db`state = 'review', format = ${file.format}, is_own_format = ${file.detected === null},
    ignored_files = ${file.ignored_files}, total = ${file.total}, detected = ${toJson(file.detected)}::text::json,
    summary = ${toJson(file.summary)}::text::json, columns = ${toJson(file.columns)}::text::json`
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** Returns what a user's review says about the file, or null if the import is not in review. */
export async function readReview(
  db: Db,
  userId: number,
  id: number,
): Promise<{ detected: ForeignFormat | null; columns: ImportColumns | null } | null> {
  const [found] = await db<{ detected: ForeignFormat | null; columns: ImportColumns | null }[]>`
    select detected, columns from imports where id = ${id} and user_id = ${userId} and state = 'review'`
  return found ?? null
}

/** Replaces summary and columns of a user's review; null if it is not in review any more. */
export async function updateReview(
  db: Db,
  userId: number,
  id: number,
  { summary, columns }: { summary: ImportSummary; columns: ImportColumns },
): Promise<Import | null> {
  const [updated] = await db<Import[]>`
    update imports set summary = ${toJson(summary)}::text::json, columns = ${toJson(columns)}::text::json
     where id = ${id} and user_id = ${userId} and state = 'review' returning ${importColumns(db)}`
  return updated ?? null
}

/** Queues a user's import that is in review; null if it is not in review. */
export async function startImport(
  tx: Db,
  userId: number,
  id: number,
  options: ImportOptions,
): Promise<Import | null> {
  const [started] = await tx<Import[]>`
    update imports set state = 'waiting', options = ${toJson(options)}::text::json, heartbeat_at = now(), failure = null
     where id = ${id} and user_id = ${userId} and state = 'review' returning ${importColumns(tx)}`
  return started ?? null
}

/** Deletes a user's import that is in review, or whose address is being read. Returns false if it is neither. */
export async function discardReview(db: Db, userId: number, id: number): Promise<boolean> {
  const isOpen = db`id = ${id} and user_id = ${userId} and state in ('fetching', 'review')`
  await deletePictures(db, isOpen)
  const deleted = await db`delete from imports where ${isOpen}`
  return deleted.count > 0
}
