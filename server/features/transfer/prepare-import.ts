/** Turns the stored file of another tool into parts of an import, in the form of our own file, once the user started it. */
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { Db, Sql } from '../../core/database/database.ts'
import { createCollectionPlan } from './foreign-collections.ts'
import { isSavedItem, isVideoItem, toTransferBookmark } from './foreign-items.ts'
import type { ForeignFormat } from './formats/detect-format.ts'
import { type ImportedItem, isRejected, type RejectedItem } from './formats/imported-item.ts'
import { readItems } from './formats/read-items.ts'
import type { UploadedFile } from './formats/uploaded-file.ts'
import { deleteImportFile, hasImportFile, openImportFile } from './import-files.ts'
import { addPart, type ImportClaim, lockImport } from './import-queries.ts'
import { addReport, type ItemOutcome, type Origin, type ReportItem, reportBatch } from './import-report.ts'
import { createPartWriter, describeInvalidItem } from './upload-import.ts'

/** Another process claimed the import, or its user was deleted: nothing more may be written. */
class ClaimLost extends Error {}

/** How many items are read between two heartbeats. */
const heartbeatItems = 2000

/**
 * Reads the file and stores its items as parts; the others are reported. An interrupted preparation starts again. The file is
 * deleted in the end, so that its absence means that the import is prepared.
 * @returns false if the claim was lost
 * @throws MalformedFile
 */
export async function prepareImport(db: Sql, claim: ImportClaim): Promise<boolean> {
  if (claim.detected === null || !(await hasImportFile(db, claim.id))) return true
  if (!(await db.begin((tx) => resetImport(tx, claim)))) return false
  try {
    await using upload = await openImportFile(db, claim.id)
    const total = await storeForeign(db, claim, claim.detected, upload)
    return await db.begin((tx) => finishPreparation(tx, claim, total))
  } catch (error) {
    if (error instanceof ClaimLost) return false
    throw error
  }
}

async function resetImport(tx: Db, claim: ImportClaim): Promise<boolean> {
  if (!(await lockImport(tx, claim))) return false
  await tx`delete from import_parts where import_id = ${claim.id}`
  await tx`delete from import_reports where import_id = ${claim.id}`
  await tx`update imports set outcomes = '{}', reported = 0 where id = ${claim.id}`
  return true
}

async function finishPreparation(tx: Db, claim: ImportClaim, total: number): Promise<boolean> {
  if (!(await lockImport(tx, claim))) return false
  await deleteImportFile(tx, claim.id)
  await tx`update imports set total = ${total} where id = ${claim.id}`
  return true
}

async function storeForeign(
  db: Db,
  claim: ImportClaim,
  detected: ForeignFormat,
  upload: UploadedFile,
): Promise<number> {
  const { options } = claim
  const now = new Date().toISOString()
  const plan = createCollectionPlan(detected.label, { ...options, created_at: now })
  const read = () => withHeartbeat(db, claim, readItems(detected, upload, { mapping: claim.columns?.mapping }))
  const isImported = (item: ImportedItem) =>
    isSavedItem(item) && (options.plain_links === true || isVideoItem(item, detected))
  // The file is read twice, because the access of a collection depends on all its items.
  for await (const item of read()) {
    if (!isRejected(item) && isImported(item)) plan.add(item)
  }
  const [owner] = await db<[{ orientation: Orientation }?]>`
    select default_bookmark_orientation as orientation from users where id = ${claim.user_id}`
  const save = async (part: Parameters<typeof addPart>[3]) => {
    if (!(await addPart(db, claim.id, claim.attempts, part))) throw new ClaimLost()
  }
  const writers = {
    collections: createPartWriter(save),
    bookmarks: createPartWriter(save),
    likes: createPartWriter(save),
  }
  const report = createReportWriter(db, claim)
  for (const collection of plan.collections) await writers.collections.add('collections', collection, 500)
  for await (const item of read()) {
    if (isRejected(item)) {
      await report.add(item, { outcome: 'rejected', reason: item.reason })
      continue
    }
    if (!isImported(item)) {
      await report.add(item, { outcome: 'skipped', reason: skippedReasons[item.kind] })
      continue
    }
    const bookmark = toTransferBookmark(item, plan.add(item), {
      options,
      orientation: owner?.orientation ?? 'sfw',
      now,
    })
    const invalid = describeInvalidItem('bookmarks', bookmark)
    if (invalid !== null) {
      await report.add(item, { outcome: 'rejected', reason: invalid })
      continue
    }
    const origin = originOf(item)
    await writers.bookmarks.add('bookmarks', { ...bookmark, origin }, 2 * bookmark.description.length + 500)
    if (item.kind === 'liked') {
      const like = { source_url: item.url, created_at: bookmark.created_at, origin }
      await writers.likes.add('likes', like, item.url.length + 50)
    }
  }
  await report.close()
  let total = 0
  for (const writer of Object.values(writers)) total += await writer.close()
  return total
}

const skippedReasons: Record<ImportedItem['kind'], string> = {
  saved: "It isn't a link to a known video site.",
  liked: "It isn't a link to a known video site.",
  watch_later: "It isn't a link to a known video site.",
  watched: "Watch history isn't imported.",
  subscription: "Subscriptions aren't imported.",
}

function originOf({ file, row }: Origin): Origin {
  return { file, row }
}

/** Yields items, and records from time to time that the process works on the import. */
async function* withHeartbeat<Item>(
  db: Db,
  { id, attempts }: ImportClaim,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  let count = 0
  for await (const item of items) {
    count += 1
    if (count % heartbeatItems === 0) {
      const ours = await db`
        update imports set heartbeat_at = now() where id = ${id} and attempts = ${attempts} and state = 'running'`
      if (ours.count === 0) throw new ClaimLost()
    }
    yield item
  }
}

/** Collects what is reported before the import begins. */
function createReportWriter(db: Db, claim: ImportClaim) {
  let items: ReportItem[] = []
  const flush = async () => {
    if (!(await addReport(db, claim, items))) throw new ClaimLost()
    items = []
  }
  return {
    async add(item: ImportedItem | RejectedItem, outcome: ItemOutcome): Promise<void> {
      const name = isRejected(item)
        ? { kind: 'bookmark' as const, what: item.what, url: '' }
        : { kind: reportKind(item), what: item.title || item.url, url: item.url }
      items.push({ ...originOf(item), ...name, ...outcome })
      if (items.length >= reportBatch) await flush()
    },
    close: flush,
  }
}

function reportKind({ kind }: ImportedItem): ReportItem['kind'] {
  return kind === 'watched' ? 'history' : kind === 'subscription' ? 'subscription' : 'bookmark'
}
