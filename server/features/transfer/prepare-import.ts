/** Turns the stored file of another tool into parts of an import, in the form of our own file, once the user started it. */
import type { ImportOptions } from '@reelmark/contract/imports.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { Db, Sql } from '../../core/database/database.ts'
import { createCollectionPlan } from './foreign-collections.ts'
import { createHistoryReader } from './foreign-history.ts'
import { isSavedItem, isVideoItem, toTransferBookmark } from './foreign-items.ts'
import type { ForeignFormat } from './formats/detect-format.ts'
import { type ImportedItem, isRejected, type RejectedItem } from './formats/imported-item.ts'
import { readItems } from './formats/read-items.ts'
import type { UploadedFile } from './formats/uploaded-file.ts'
import { deleteImportFile, hasImportFile, openImportFile } from './import-files.ts'
import { addPart, type ImportClaim, lockImport } from './import-queries.ts'
import { addReport, type ItemOutcome, type Origin, type ReportItem, reportBatch } from './import-report.ts'
import { historyTexts } from './import-video-parts.ts'
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
  const read = () =>
    withHeartbeat(db, claim, readItems(detected, upload, { mapping: claim.columns?.mapping }))
  const isImported = (item: ImportedItem) =>
    isSavedItem(item) && (options.plain_links === true || isVideoItem(item, detected))
  const [owner] = await db<[{ orientation: Orientation; is_history_paused: boolean }?]>`
    select default_bookmark_orientation as orientation, is_history_paused from users where id = ${claim.user_id}`
  const withHistory = options.history === true && owner?.is_history_paused === false
  const save = async (part: Parameters<typeof addPart>[3]) => {
    if (!(await addPart(db, claim.id, claim.attempts, part))) throw new ClaimLost()
  }
  const writers = {
    collections: createPartWriter(save),
    bookmarks: createPartWriter(save),
    likes: createPartWriter(save),
    watched: createPartWriter(save),
    positions: createPartWriter(save),
  }
  const report = createReportWriter(db, claim)
  /** Adds the bookmark of an item. Returns false if it is rejected. */
  const addBookmark = async (item: ImportedItem): Promise<boolean> => {
    const destination = plan.add(item)
    const orientation = owner?.orientation ?? 'sfw'
    const bookmark = toTransferBookmark(item, destination, { options, orientation, now })
    const invalid = describeInvalidItem('bookmarks', bookmark)
    if (invalid !== null) {
      await report.add(item, { outcome: 'rejected', reason: invalid })
      return false
    }
    const stored = { ...bookmark, origin: originOf(item) }
    await writers.bookmarks.add('bookmarks', stored, 2 * bookmark.description.length + 500)
    return true
  }
  const history = createHistoryReader(db, claim.user_id, async (item, mustSave) => {
    if (mustSave && !(await addBookmark(item))) return
    const { url: source_url, saved_at, position_seconds: seconds } = item
    const [at, origin, size] = [saved_at ?? now, originOf(item), source_url.length + 100]
    await writers.watched.add('watched', { source_url, watched_at: at, origin }, size)
    if (seconds === null || seconds === 0) return
    const position = { source_url, seconds, updated_at: at, origin }
    await writers.positions.add('playback_positions', position, size)
  })

  // The file is read twice, because the access of a collection depends on all its items, and so does what is saved.
  for await (const item of read()) {
    if (isRejected(item) || !isImported(item)) continue
    plan.add(item)
    if (withHistory) history.addSaved(item)
  }
  for await (const item of read()) {
    if (isRejected(item)) await report.add(item, { outcome: 'rejected', reason: item.reason })
    else if (withHistory && item.kind === 'watched' && isVideoItem(item, detected)) {
      await history.addWatched(item)
    } else if (!isImported(item)) {
      const isPaused = options.history === true && owner?.is_history_paused === true
      await report.add(item, { outcome: 'skipped', reason: skippedReason(item, options, isPaused) })
    } else if ((await addBookmark(item)) && item.kind === 'liked') {
      const like = { source_url: item.url, created_at: item.saved_at ?? now, origin: originOf(item) }
      await writers.likes.add('likes', like, item.url.length + 50)
    }
  }
  await history.flush()
  await report.close()
  // The last one, because watched videos may need a collection.
  for (const collection of plan.collections) await writers.collections.add('collections', collection, 500)
  let total = 0
  for (const writer of Object.values(writers)) total += await writer.close()
  return total
}

function skippedReason({ kind }: ImportedItem, { history }: ImportOptions, isPaused: boolean): string {
  if (kind === 'subscription') return "Subscriptions aren't imported."
  if (kind === 'watched' && history !== true) return historyTexts.leftOut
  if (kind === 'watched' && isPaused) return historyTexts.paused
  return "It isn't a link to a known video site."
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
