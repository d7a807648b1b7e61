/** Queries for imports of web addresses, until they are in review. */
import type { Import } from '@reelmark/contract/imports.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'
import type { UploadedFile } from '../formats/uploaded-file.ts'
import { saveImportFile } from '../import-files.ts'
import { hasOpenImport, type ImportClaim, importColumns, lockImport } from '../import-queries.ts'
import { type ReadFile, removeOldReports, reviewAssignments } from '../review-queries.ts'

/** Creates an import whose address is not read yet; null if the user has another open import. */
export async function createSourceImport(
  tx: Db,
  userId: number,
  { url, label }: { url: string; label: string },
): Promise<Import | null> {
  await tx`select from users where id = ${userId} for no key update`
  if (await hasOpenImport(tx, userId)) return null
  await removeOldReports(tx, userId)
  const [created] = await tx<[Import]>`
    insert into imports (user_id, state, format, is_own_format, source_url)
    values (${userId}, 'fetching', ${label}, false, ${url}) returning ${importColumns(tx)}`
  return created
}

/** Stores the videos of an address and shows the import to its user for review. Changes nothing if the claim was lost. */
export async function openSourceReview(
  tx: TransactionSql,
  claim: ImportClaim,
  upload: UploadedFile,
  { failure, ...file }: ReadFile & { failure: string | null },
): Promise<void> {
  if (!(await lockImport(tx, claim))) return
  await saveImportFile(tx, claim.id, upload)
  await tx`update imports set attempts = 0, failure = ${failure}, ${reviewAssignments(tx, file)} where id = ${claim.id}`
}

/** Ends an import whose address cannot be read. Changes nothing if the claim was lost. */
export async function failSourceImport(
  db: Db,
  { id, attempts }: ImportClaim,
  failure: string,
): Promise<void> {
  await db`
    update imports set state = 'failed', failure = ${failure}, finished_at = now()
     where id = ${id} and attempts = ${attempts} and state = 'fetching'`
}

/** Records that the process works on the import. Returns false if the claim was lost. */
export async function touchSourceImport(db: Db, { id, attempts }: ImportClaim): Promise<boolean> {
  const ours = await db`
    update imports set heartbeat_at = now() where id = ${id} and attempts = ${attempts} and state = 'fetching'`
  return ours.count > 0
}
