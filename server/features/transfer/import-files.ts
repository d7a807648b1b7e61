/** The uploaded file of an import, which is stored in the database until the import is prepared or discarded. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { storeUpload, type UploadedFile } from './formats/uploaded-file.ts'

const chunkBytes = 512 * 1024

/** Stores the file of an import in pieces, in the database and not on a disk so that any machine can import it. */
export async function saveImportFile(db: Db, importId: number, upload: UploadedFile): Promise<void> {
  let pending: Buffer[] = []
  let length = 0
  let number = 0
  const flush = async () => {
    await db`
      insert into import_files (import_id, number, data) values (${importId}, ${number}, ${Buffer.concat(pending)})`
    pending = []
    length = 0
    number += 1
  }
  for await (const chunk of upload.open()) {
    pending.push(chunk)
    length += chunk.length
    if (length >= chunkBytes) await flush()
  }
  if (length > 0) await flush()
}

/** Returns whether the file of an import is still stored. */
export async function hasImportFile(db: Db, importId: number): Promise<boolean> {
  const rows = await db`select from import_files where import_id = ${importId} limit 1`
  return rows.length > 0
}

/** Copies the file of an import to a temporary file, until it is disposed. */
export function openImportFile(db: Db, importId: number): Promise<UploadedFile> {
  return storeUpload(readChunks(db, importId), limits.importMax)
}

async function* readChunks(db: Db, importId: number): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const [chunk] = await db<{ data: Buffer }[]>`
      select data from import_files where import_id = ${importId} and number = ${number}`
    if (chunk === undefined) return
    yield chunk.data
  }
}

/** Deletes the file of an import. */
export async function deleteImportFile(db: Db, importId: number): Promise<void> {
  await db`delete from import_files where import_id = ${importId}`
}

/** Deletes the unused pictures of imports for which a condition is true, in batches, because they can have a gigabyte. */
export async function deletePictures(db: Db, condition: Fragment): Promise<void> {
  let deleted: { count: number }
  do {
    deleted = await db`
      delete from import_pictures where (import_id, name) in (
        select p.import_id, p.name from import_pictures p
         where p.data is not null and p.import_id in (select id from imports where ${condition}) limit 50)`
  } while (deleted.count > 0)
}
