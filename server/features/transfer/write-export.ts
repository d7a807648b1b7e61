/** Writes everything of a user into a file, in the background. */
import { extname } from 'node:path'
import { exportOnlyListNames } from '@reelmark/contract/transfer-account.ts'
import type { Db } from '../../core/database/database.ts'
import type { Deps } from '../../core/deps.ts'
import { countExportOnlyRows, readAccount, readAvatar, readExportOnlyList } from './export-account.ts'
import {
  addChunk,
  addPictures,
  claimExport,
  type ExportClaim,
  type ExportedPicture,
  finishExport,
  reportProgress,
} from './export-queries.ts'
import {
  type BatchKey,
  batchSize,
  countRows,
  type ExportProfile,
  type Line,
  readBatches,
  readBlocked,
  readBookmarks,
  readCollections,
  readComments,
  readFollowedCollections,
  readFollowedTags,
  readFollowing,
  readLikes,
  readMutedTags,
  readMutedUsers,
  readPositions,
  readProfile,
  readSmartCollections,
  readTimedNotes,
  readWatched,
} from './export-rows.ts'
import { writeBookmarkFile } from './write-bookmark-file.ts'

/** How many collections one query reads. */
const collectionBatch = 100
/** How many characters are collected for one chunk of the file. */
const chunkSize = 512 * 1024
/** How many names of pictures are stored together. */
const picturesBatch = 500

/** Another process claimed the export, or its user was deleted: nothing more may be written. */
class ClaimLost extends Error {}

/**
 * Writes the file of an export. Reads everything in one read-only transaction, as of one moment; writes chunks and progress
 * outside it, so that the progress is visible. If the process dies, another one starts from the beginning.
 */
export async function writeExport(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  exportId: number,
): Promise<void> {
  const claim = await db.begin((tx) => claimExport(tx, exportId))
  if (claim === null) return
  try {
    await db.begin('isolation level repeatable read read only', (tx) => writeRows({ db, media }, tx, claim))
  } catch (error) {
    if (!(error instanceof ClaimLost)) throw error
  }
}

async function writeRows(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  tx: Db,
  claim: ExportClaim,
): Promise<void> {
  const { user_id, format } = claim
  // The transaction is idle while chunks are written.
  await tx`set local idle_in_transaction_session_timeout = '60s'`
  if (format !== 'json') {
    return writeBookmarkFile(tx, { ...claim, format }, (total) => createFileWriter(db, claim, total))
  }
  const profile = await readProfile(tx, user_id)
  const found = await readAccount(tx, user_id)
  if (profile === null || found === null) return
  const account = { ...found.account, avatar: await readAvatar(media, found.avatar_key) }
  const counts = await countRows(tx, user_id)
  const total =
    Object.values(counts).reduce((sum, count) => sum + count, 0) + (await countExportOnlyRows(tx, user_id))
  const file = createFileWriter(db, claim, total)
  await file.report(0)

  const containerIndexes = await readContainerIndexes(tx, user_id)
  await file.write(exportHead(profile, account, containerIndexes))
  await file.write(',\n"collections":[')
  await file.list(collectionLines(tx, user_id))
  await file.write('],\n"bookmarks":[')
  await file.list(bookmarkLines(tx, user_id, containerIndexes, claim.with_pictures ? file.addPicture : null))
  for (const [name, read] of [
    ['timed_notes', readTimedNotes],
    ['likes', readLikes],
    ['following', readFollowing],
    ['followed_collections', readFollowedCollections],
    ['followed_tags', readFollowedTags],
    ['comments', readComments],
    ['watched', readWatched],
    ['playback_positions', readPositions],
    ['blocked', readBlocked],
    ['muted_users', readMutedUsers],
    ['muted_tags', readMutedTags],
  ] as const) {
    await file.write(`],\n"${name}":[`)
    await file.list(batches((after) => read(tx, user_id, after, batchSize)))
  }
  await file.write('],\n"smart_collections":[')
  await file.list(smartCollectionLines(tx, user_id, containerIndexes))
  for (const name of exportOnlyListNames) {
    await file.write(`],\n"${name}":[`)
    await file.list(batches((after) => readExportOnlyList(tx, name, user_id, after, batchSize)))
  }
  await file.write(']}\n')
  await file.finish()
}

/** The indexes of collections and channels in the file, by their ids. */
interface ContainerIndexes {
  collections: Map<number, number>
  channels: Map<number, number>
}

/** Reads the indexes; these numbers are all that is held in memory for the whole account. */
async function readContainerIndexes(tx: Db, userId: number): Promise<ContainerIndexes> {
  const containerIndexes: ContainerIndexes = { collections: new Map(), channels: new Map() }
  for await (const collections of readCollectionBatches(tx, userId)) {
    for (const { id, channel_ids } of collections) {
      containerIndexes.collections.set(id, containerIndexes.collections.size)
      channel_ids.forEach((channel, index) => {
        containerIndexes.channels.set(channel, index)
      })
    }
  }
  return containerIndexes
}

function exportHead(
  { username, ...profile }: ExportProfile,
  account: object,
  { collections }: ContainerIndexes,
): string {
  const chosen = profile.default_bookmark_collection
  const head = {
    format: 'reelmark',
    version: 1,
    exported_at: new Date().toISOString(),
    username,
    account,
    profile: {
      ...profile,
      default_bookmark_collection: chosen === null ? null : (collections.get(chosen) ?? null),
    },
  }
  return JSON.stringify(head).slice(0, -1)
}

async function* readCollectionBatches(tx: Db, userId: number) {
  let after = { position: -(2 ** 31), id: 0 }
  for (;;) {
    const rows = await readCollections(tx, userId, after, collectionBatch)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < collectionBatch) return
    after = last
  }
}

async function* collectionLines(tx: Db, userId: number): AsyncGenerator<string[]> {
  for await (const collections of readCollectionBatches(tx, userId)) {
    yield collections.map(({ line }) => line)
  }
}

/** @param addPicture adds the picture of a bookmark to the export; null: without pictures */
function bookmarkLines(
  tx: Db,
  userId: number,
  containerIndexes: ContainerIndexes,
  addPicture: FileWriter['addPicture'] | null,
): AsyncGenerator<string[]> {
  return batches(
    (after) => readBookmarks(tx, userId, after, batchSize),
    ({ collection_id, channel_id, picture_key, line, id }) => {
      const collection = containerIndexes.collections.get(collection_id)
      const channel = channel_id === null ? null : containerIndexes.channels.get(channel_id)
      const picture = addPicture === null ? '' : `"picture":${JSON.stringify(addPicture(id, picture_key))},`
      return `{"collection":${collection},"channel":${channel},${picture}${line.slice(1)}`
    },
  )
}

/** The index of a collection that no longer exists. No collection of the file has it, so the query finds nothing. */
const missingIndex = 100_000

function smartCollectionLines(
  tx: Db,
  userId: number,
  containerIndexes: ContainerIndexes,
): AsyncGenerator<string[]> {
  return batches(
    (after) => readSmartCollections(tx, userId, after, batchSize),
    ({ collection_id, channel_id, line }) => {
      const isLimited = collection_id !== null || channel_id !== null
      const collection = isLimited
        ? (containerIndexes.collections.get(collection_id ?? 0) ?? missingIndex)
        : null
      const channel = channel_id === null ? null : (containerIndexes.channels.get(channel_id) ?? 0)
      return `{"collection":${collection},"channel":${channel},${line.slice(1)}`
    },
  )
}

/** Yields the lines of rows in the file, batch by batch. */
async function* batches<Row extends Line>(
  read: (after: BatchKey) => Promise<Row[]>,
  toLine: (row: Row) => string = ({ line }) => line,
): AsyncGenerator<string[]> {
  for await (const rows of readBatches(read)) yield rows.map(toLine)
}

export type FileWriter = ReturnType<typeof createFileWriter>

/** Collects the next chunk of the file, and tracks the progress. */
function createFileWriter(db: Db, claim: ExportClaim, total: number) {
  let texts: string[] = []
  let length = 0
  let number = 0
  let size = 0
  let done = 0
  let pictures: ExportedPicture[] = []
  let picturesStored = 0
  const requireClaim = (isOurs: boolean) => {
    if (!isOurs) throw new ClaimLost()
  }
  const flush = async () => {
    const data = Buffer.from(texts.join(''))
    requireClaim(await addChunk(db, claim, { number, data }))
    texts = []
    length = 0
    number += 1
    size += data.length
  }
  const storePictures = async () => {
    if (pictures.length === 0) return
    requireClaim(await addPictures(db, claim, { number: picturesStored, pictures }))
    picturesStored += pictures.length
    pictures = []
  }
  const write = async (text: string) => {
    texts.push(text)
    length += text.length
    if (length >= chunkSize) await flush()
  }
  const report = async (rows: number) => {
    done += rows
    if (pictures.length >= picturesBatch) await storePictures()
    requireClaim(await reportProgress(db, claim, { done, total }))
  }
  return {
    write,
    report,
    /** Adds a bookmark's stored picture to the export and returns its name in the zip file; null without a picture. */
    addPicture(bookmarkId: number, key: string | null): string | null {
      if (key === null) return null
      const name = `pictures/${bookmarkId}${extname(key)}`
      pictures.push({ name, key })
      return name
    },
    /** Writes the elements of a list, one per line. */
    async list(lines: AsyncIterable<string[]>) {
      let separator = '\n'
      for await (const batch of lines) {
        for (const line of batch) {
          await write(separator + line)
          separator = ',\n'
        }
        if (batch.length > 0) await report(batch.length)
      }
    },
    async finish() {
      await flush()
      await storePictures()
      await finishExport(db, claim, { done, size, pictures: picturesStored })
    },
  }
}
