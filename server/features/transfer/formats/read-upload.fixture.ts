/** Reads an upload from its first byte to its last item, as the server does. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type DetectedFormat, detectFormat } from './detect-format.ts'
import { type ImportedItem, isRejected, type RejectedItem } from './imported-item.ts'
import { type ReadOptions, readItems } from './read-items.ts'
import { storeUpload } from './uploaded-file.ts'

export interface ReadUpload {
  detected: DetectedFormat
  items: ImportedItem[]
  rejected: RejectedItem[]
}

export type Content = string | Buffer | AsyncIterable<Buffer>

/** @throws MalformedFile */
export async function readUpload(content: Content, options: ReadOptions = {}): Promise<ReadUpload> {
  await using upload = await storeUpload(streamContent(content), limits.importMax)
  const detected = await detectFormat(upload)
  const items: ImportedItem[] = []
  const rejected: RejectedItem[] = []
  if (detected.format === 'reelmark') return { detected, items, rejected }
  for await (const item of readItems(detected, upload, options)) {
    if (isRejected(item)) rejected.push(item)
    else items.push(item)
  }
  return { detected, items, rejected }
}

/** Yields the content in chunks of a length that cuts characters and lines. */
export async function* streamContent(content: Content, chunkBytes = 65_521): AsyncGenerator<Buffer> {
  if (typeof content !== 'string' && !Buffer.isBuffer(content)) {
    yield* content
    return
  }
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

/** Returns the fields of an item that the tool filled in, without its origin. */
export function filledFields({ file, row, ...item }: ImportedItem): Partial<ImportedItem> {
  const isFilled = (value: unknown) =>
    value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  const fields = Object.entries(item).filter(
    ([name, value]) => isFilled(value) && !(name === 'kind' && value === 'saved'),
  )
  return Object.fromEntries(fields)
}
