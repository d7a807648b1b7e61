/** Receives a file of any tool and stores its items as an import, in the form of our own file. */

import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db } from '../../core/database/database.ts'
import { ApiError } from '../../core/http/errors.ts'
import { createCollectionPlan } from './foreign-collections.ts'
import { detectFormat, type ForeignFormat } from './formats/detect-format.ts'
import { type ImportedItem, isRejected } from './formats/imported-item.ts'
import { readItems } from './formats/read-items.ts'
import { storeUpload, type UploadedFile } from './formats/uploaded-file.ts'
import { createImport, discardImport, recordProblems } from './import-queries.ts'
import { MalformedFile } from './json-stream.ts'
import { describeProblem, type Problem } from './rules.ts'
import {
  createPartWriter,
  describeInvalidItem,
  limitSize,
  type UploadedImport,
  uploadImport,
} from './upload-import.ts'

/** How many problems are stored; the others are counted. */
const maxProblems = 100

/**
 * Stores a file of any known format as an import that is not listed yet, with its parts.
 * @throws ApiError('malformed-body'), ApiError('too-large'); InvalidFields for our own format. Then nothing is stored.
 */
export async function uploadAnyFile(
  db: Db,
  userId: number,
  source: AsyncIterable<Buffer>,
): Promise<UploadedImport> {
  try {
    await using upload = await storeUpload(limitSize(source), limits.importMax)
    const detected = await detectFormat(upload)
    if (detected.format === 'reelmark') return await uploadImport(db, userId, upload.open())
    return await storeForeign(db, userId, upload, detected)
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
  const now = new Date().toISOString()
  const plan = createCollectionPlan(detected.label, now)
  // The file is read twice, because the access of a collection depends on all its items.
  for await (const item of readItems(detected, upload)) {
    if (!isRejected(item) && isSaved(item)) plan.add(item)
  }
  const [owner] = await db<[{ orientation: Orientation }?]>`
    select default_bookmark_orientation as orientation from users where id = ${userId}`
  const id = await createImport(db, userId)
  try {
    const writers = {
      collections: createPartWriter(db, id),
      bookmarks: createPartWriter(db, id),
      likes: createPartWriter(db, id),
    }
    for (const collection of plan.collections) await writers.collections.add('collections', collection, 500)
    const problems = createProblemList()
    for await (const item of readItems(detected, upload)) {
      if (isRejected(item)) problems.add(describeProblem(item.what || `Row ${item.row}`, item.reason))
      else if (!isSaved(item)) problems.count(item.kind)
      else {
        const destination = plan.add(item)
        const bookmark = toBookmark(item, destination, owner?.orientation ?? 'sfw', now)
        const invalid = describeInvalidItem('bookmarks', bookmark)
        if (invalid !== null) {
          problems.add(describeProblem(item.url, invalid))
          continue
        }
        await writers.bookmarks.add('bookmarks', bookmark, 2 * bookmark.description.length + 500)
        if (item.kind === 'liked') {
          const like = { source_url: item.url, created_at: bookmark.created_at }
          await writers.likes.add('likes', like, item.url.length + 50)
        }
      }
    }
    let total = 0
    for (const writer of Object.values(writers)) total += await writer.close()
    await recordProblems(db, id, problems.summary())
    return { id, total }
  } catch (error) {
    await discardImport(db, id)
    throw error
  }
}

/** Subscriptions have no counterpart here, and marks of watched videos only exist for saved ones. */
function isSaved({ kind }: ImportedItem): boolean {
  return kind === 'saved' || kind === 'liked' || kind === 'watch_later'
}

function toBookmark(
  item: ImportedItem,
  destination: Pick<TransferFile['bookmarks'][number], 'collection' | 'channel'>,
  orientation: Orientation,
  now: string,
) {
  const { url, description, tags, note } = item
  const title =
    item.title || [...url.replace(/^https?:\/\/(?:www\.)?/i, '')].slice(0, limits.titleMax).join('')
  return {
    ...destination,
    title,
    description,
    tags,
    access: item.is_private === false ? ('public' as const) : ('private' as const),
    private_note: note,
    created_at: item.saved_at ?? now,
    video: {
      source_url: url,
      title,
      description: '',
      tags: [],
      embed_url: null,
      thumbnail_url: null,
      orientation,
      shape: 'unknown' as const,
      duration: null,
      width: null,
      height: null,
    },
  }
}

/** Collects what is not imported: single items, and kinds of items that are only counted. */
function createProblemList() {
  const problems: Problem[] = []
  const skipped = { watched: 0, subscription: 0 }
  let failed = 0
  return {
    add(problem: Problem): void {
      failed += 1
      if (problems.length < maxProblems) problems.push(problem)
    },
    count(kind: ImportedItem['kind']): void {
      if (kind === 'watched' || kind === 'subscription') skipped[kind] += 1
    },
    summary(): { failed: number; problems: Problem[] } {
      const number = (count: number) => count.toLocaleString('en')
      const summaries: Problem[] = []
      if (skipped.watched > 0) {
        const what = `Watch history (${number(skipped.watched)})`
        summaries.push({ what, why: "Watch history isn't imported." })
      }
      if (skipped.subscription > 0) {
        const what = `Subscriptions (${number(skipped.subscription)})`
        summaries.push({ what, why: "Subscriptions aren't imported." })
      }
      return {
        failed: failed + summaries.length,
        problems: [...summaries, ...problems].slice(0, maxProblems),
      }
    },
  }
}
