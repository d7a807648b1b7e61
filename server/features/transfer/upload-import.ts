/** Receives a Reelmark export, validates it against the contract, and stores its items in parts for the job that imports them. */
import type { ImportSummary } from '@reelmark/contract/imports.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { TransferFile } from '@reelmark/contract/transfer.ts'
import { exportOnlyListNames } from '@reelmark/contract/transfer-account.ts'
import type { FastifySchemaValidationError } from 'fastify'
import type { Db } from '../../core/database/database.ts'
import { ApiError, fieldProblems, InvalidFields } from '../../core/http/errors.ts'
import { createPartValidator } from '../../core/http/validation.ts'
import { createYield } from '../../core/yield.ts'
import { formatLabels } from './formats/format-labels.ts'
import {
  addPart,
  createImport,
  deleteUpload,
  type ImportKind,
  type ImportPart,
  importKinds,
} from './import-queries.ts'
import { createOwnSummary } from './import-summary.ts'
import { MalformedFile, readJsonEntries } from './json-stream.ts'
import type { ReadFile } from './review-queries.ts'

/** How many items, and bytes, one part holds, which is imported in one transaction. */
const partItems = 100
const partBytes = 256 * 1024
/** How many problems a response lists. */
const maxProblems = 50

type Problem = Pick<FastifySchemaValidationError, 'keyword' | 'instancePath' | 'params'>

const { properties } = TransferFile
const listNames = [
  'collections',
  'bookmarks',
  'timed_notes',
  'likes',
  'following',
  'followed_collections',
  'followed_tags',
  'comments',
  'watched',
  'playback_positions',
  'blocked',
  'muted_users',
  'muted_tags',
  'smart_collections',
  ...exportOnlyListNames,
] as const
type ListName = (typeof listNames)[number]
/** The lists that are validated and otherwise ignored. */
const ignoredNames: ReadonlySet<string> = new Set(['comments', ...exportOnlyListNames])
const listNameSet: ReadonlySet<string> = new Set(listNames)
const entryValidators = new Map(
  listNames.map((name) => [name as string, createPartValidator(properties[name].items as object)] as const),
)
/** Validates everything except the elements of lists, which are validated one by one. */
const validateHead = createPartValidator({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      listNameSet.has(name) ? { type: 'array' } : schema,
    ]),
  ),
  required: TransferFile.required,
  additionalProperties: false,
})

export interface UploadedImport {
  id: number
  file: ReadFile
}

/** The pictures that the bookmarks of a file name, with the links of their videos. */
export type NamedPictures = Map<string, string>

/**
 * Stores a file as an import that is not listed yet, with its parts.
 * @param storePictures stores the pictures that the file names, and returns how many; by default nothing
 * @throws InvalidFields, ApiError('malformed-body'), ApiError('too-large'); then nothing is stored.
 */
export async function uploadImport(
  db: Db,
  userId: number,
  source: AsyncIterable<Buffer>,
  storePictures?: (importId: number, named: NamedPictures) => Promise<number>,
): Promise<UploadedImport> {
  const id = await createImport(db, userId)
  try {
    const named: NamedPictures = new Map()
    const { total: items, summary } = await storeParts(db, { id, user_id: userId, named }, source)
    if (storePictures !== undefined) summary.pictures = await storePictures(id, named)
    const total = items + (summary.pictures ?? 0)
    const file = {
      format: formatLabels.reelmark,
      detected: null,
      ignored_files: 0,
      summary,
      columns: null,
      total,
    }
    return { id, file }
  } catch (error) {
    await deleteUpload(db, id)
    if (!(error instanceof MalformedFile)) throw error
    if (error.field === null) throw new ApiError('malformed-body', { detail: error.message })
    throw new InvalidFields(Object.fromEntries([[error.field, [error.message]]]))
  }
}

async function storeParts(
  db: Db,
  { id, user_id, named }: { id: number; user_id: number; named: NamedPictures },
  source: AsyncIterable<Buffer>,
): Promise<{ total: number; summary: ImportSummary }> {
  const head = new Map<string, unknown>()
  const summary = createOwnSummary(db, user_id)
  const parts = createPartWriter(async (part) => {
    if (!(await addPart(db, id, 0, part))) throw new ApiError('not-found')
    for (const item of part.items) {
      await summary.add(part.kind, item)
      if (part.kind === 'bookmarks') addPicture(named, item as TransferFile['bookmarks'][number])
    }
  })
  let problems: Problem[] = []
  const letOthersRun = createYield()
  for await (const { name, index, value, size } of readJsonEntries(limitSize(source), listNameSet)) {
    await letOthersRun()
    const check = entryValidators.get(name)
    if (index === null || check === undefined) {
      head.set(name, value)
      continue
    }
    const max = (properties[name as ListName] as { maxItems?: number }).maxItems ?? 0
    problems = problems.concat(
      index < max
        ? check(value, `/${name}/${index}`)
        : [{ keyword: 'maxItems', instancePath: `/${name}`, params: { limit: max } }],
    )
    if (problems.length >= maxProblems) break
    if (problems.length === 0 && !ignoredNames.has(name)) await parts.add(name as ImportKind, value, size)
  }
  // A file that was not read to its end would be reported as incomplete.
  if (problems.length < maxProblems) problems = problems.concat(validateHead(Object.fromEntries(head), ''))
  if (problems.length > 0) {
    throw new InvalidFields(fieldProblems(problems.slice(0, maxProblems) as FastifySchemaValidationError[]))
  }
  await parts.add('profile', head.get('profile'), 0)
  return { total: await parts.close(), summary: await summary.finish() }
}

function addPicture(named: NamedPictures, { picture, video }: TransferFile['bookmarks'][number]): void {
  if (picture != null) named.set(picture, video.source_url)
}

/** @throws ApiError('too-large') */
async function* limitSize(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limits.importMax) throw tooLargeError()
    yield chunk
  }
}

/**
 * Yields the bytes of the body of a request.
 * @throws ApiError('too-large'); ApiError('malformed-body') if the upload breaks off or cannot be decompressed
 */
export async function* readBody(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* limitSize(source)
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('malformed-body')
  }
}

export function tooLargeError(max: number = limits.importMax): ApiError {
  return new ApiError('too-large', {
    detail: `The file is larger than ${max / 1024 / 1024} MB.`,
  })
}

/** Returns why an item does not fit the contract, in one sentence; null if it does. */
export function describeInvalidItem(kind: ListName, item: unknown): string | null {
  const problems = entryValidators.get(kind)?.(item, '') ?? []
  if (problems.length === 0) return null
  return errorTexts(fieldProblems(problems as FastifySchemaValidationError[]))[0] ?? "It isn't valid."
}

/** Collects items into parts, which `save` stores. */
export function createPartWriter(save: (part: ImportPart) => Promise<void>) {
  const numbers = new Map<ImportKind, number>(importKinds.map((kind) => [kind, 0]))
  let kind: ImportKind = 'collections'
  let items: unknown[] = []
  let size = 0
  let total = 0
  const flush = async () => {
    if (items.length === 0) return
    const number = numbers.get(kind) ?? 0
    numbers.set(kind, number + items.length)
    await save({ kind, number, items })
    items = []
    size = 0
  }
  return {
    async add(itemKind: ImportKind, item: unknown, bytes: number) {
      if (itemKind !== kind || items.length === partItems || size > partBytes) await flush()
      kind = itemKind
      items.push(item)
      size += bytes
      total += 1
    },
    /** Stores the last part and returns the number of all items. */
    async close(): Promise<number> {
      await flush()
      return total
    },
  }
}
