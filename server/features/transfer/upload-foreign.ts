/** Receives a file of any tool, stores it and sums up what it contains. */
import {
  type CsvMapping,
  csvFields,
  type ImportColumns,
  type ImportSummary,
} from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db } from '../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import type { CsvColumns } from './formats/csv-formats.ts'
import { detectFormat, type ForeignFormat, isZipFile, type OwnFormat } from './formats/detect-format.ts'
import { extractFiles } from './formats/extract-files.ts'
import { readItems } from './formats/read-items.ts'
import { storeUpload, type UploadedFile } from './formats/uploaded-file.ts'
import { openArchive } from './formats/zip-archive.ts'
import { openImportFile, saveImportFile } from './import-files.ts'
import { storePictures } from './import-pictures.ts'
import { createImport, deleteUpload } from './import-queries.ts'
import { createForeignSummary } from './import-summary.ts'
import { MalformedFile } from './json-stream.ts'
import { tooLargeError, type UploadedImport, uploadImport } from './upload-import.ts'

/** Characters of a cell that the user is shown. */
const shownCellMax = 200

/**
 * Stores a file of any known format as an import that is not listed yet.
 * @throws ApiError('malformed-body'), ApiError('too-large'); InvalidFields for our own format. Then nothing is stored.
 */
export async function uploadAnyFile(
  db: Db,
  userId: number,
  source: AsyncIterable<Buffer>,
): Promise<UploadedImport> {
  return withFileErrors(async () => {
    await using upload = await storeUpload(source, limits.uploadMax)
    // Only zip files may be larger, of which a part is read.
    const isLarge = upload.size > limits.importMax
    if (isLarge && !(await isZipFile(upload))) throw tooLargeError()
    const detected = await detectFormat(upload)
    if (detected.format === 'reelmark') return await uploadOwn(db, userId, upload, detected)
    if (!isLarge || detected.format !== 'zip') return await storeForeign(db, userId, upload, detected)
    const { upload: smaller, files } = await extractFiles(upload, detected.files)
    await using stored = smaller
    return await storeForeign(db, userId, stored, { ...detected, files })
  })
}

/** Stores an export of Reelmark, which may be in a zip file with pictures. */
async function uploadOwn(
  db: Db,
  userId: number,
  upload: UploadedFile,
  { entry, ignored }: OwnFormat,
): Promise<UploadedImport> {
  if (entry === null) return uploadImport(db, userId, upload.open())
  // Pictures are compressed already, so that a small file has no large ones: they are stored until the import ends.
  await using archive = await openArchive(upload, limits.importMax + 2 * upload.size)
  const found = archive.entries[entry]
  if (found === undefined) throw new ApiError('malformed-body')
  const others = archive.entries.filter((other) => other !== found)
  let named = 0
  const { id, file } = await uploadImport(db, userId, found.open(), (importId, pictures) => {
    named = others.filter(({ name }) => pictures.has(name ?? '')).length
    return storePictures(db, importId, others, pictures)
  })
  return { id, file: { ...file, ignored_files: ignored - named } }
}

/** Throws the errors of a file that cannot be read as errors of the request. */
async function withFileErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof MalformedFile) throw new ApiError('malformed-body', { detail: error.message })
    throw error
  }
}

async function storeForeign(
  db: Db,
  userId: number,
  upload: UploadedFile,
  detected: ForeignFormat,
): Promise<UploadedImport> {
  const summary = await summarise(db, userId, upload, detected)
  const id = await createImport(db, userId)
  try {
    await saveImportFile(db, id, upload)
  } catch (error) {
    await deleteUpload(db, id)
    throw error
  }
  const columns = detected.format === 'zip' ? undefined : detected.columns
  const file = {
    format: detected.label,
    detected,
    ignored_files: detected.format === 'zip' ? detected.ignored : 0,
    summary,
    columns: columns === undefined ? null : shownColumns(columns),
    total: 0,
  }
  return { id, file }
}

/** Returns what a file contains. @throws MalformedFile */
export async function summarise(
  db: Db,
  userId: number,
  upload: UploadedFile,
  detected: ForeignFormat,
  mapping?: CsvMapping,
): Promise<ImportSummary> {
  const summary = createForeignSummary(db, userId, detected)
  for await (const item of readItems(detected, upload, { mapping })) await summary.add(item)
  return summary.finish()
}

function shownColumns({ headers, mapping, sample }: CsvColumns): ImportColumns {
  const cut = (row: string[]) =>
    row
      .slice(0, limits.csvColumnsMax)
      .map((cell) => [...cell.slice(0, shownCellMax * 2)].slice(0, shownCellMax).join(''))
  return { headers: cut(headers), mapping, sample: sample.slice(0, 5).map(cut) }
}

/**
 * Reads the stored file of an import again, with the columns that the user chose.
 * @throws InvalidFields for a column that does not exist, ApiError('malformed-body') for a file that cannot be read so
 */
export async function summariseAgain(
  db: Db,
  userId: number,
  { id, detected, columns }: { id: number; detected: ForeignFormat | null; columns: ImportColumns | null },
  mapping: CsvMapping,
): Promise<{ summary: ImportSummary; columns: ImportColumns }> {
  if (detected === null || columns === null) {
    throw new InvalidFields({ mapping: ['Only the columns of CSV files can be chosen.'] })
  }
  requireColumns(columns, mapping)
  return withFileErrors(async () => {
    await using upload = await openImportFile(db, id)
    return {
      summary: await summarise(db, userId, upload, detected, mapping),
      columns: { ...columns, mapping },
    }
  })
}

function requireColumns({ headers, sample }: ImportColumns, mapping: CsvMapping): void {
  const count = Math.max(headers.length, ...sample.map((row) => row.length))
  const problems: Record<string, string[]> = {}
  for (const field of csvFields) {
    if ((mapping[field] ?? 0) >= count) problems[field] = ['The file has no such column.']
  }
  if (mapping.url === undefined) problems.url = ['This field is required.']
  if (Object.keys(problems).length > 0) throw new InvalidFields({ mapping: problems })
}
