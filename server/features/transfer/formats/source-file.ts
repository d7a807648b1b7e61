/** The file into which the videos of a web address are written until their import is prepared. */
import type { RawItem } from './imported-item.ts'
import { asRecord, readJsonItems } from './json-items.ts'
import type { SourceFile } from './uploaded-file.ts'

/** Yields the text of the file: a JSON list. */
export async function* writeSourceFile(items: readonly RawItem[]): AsyncGenerator<Buffer> {
  let separator = '['
  for (const item of items) {
    yield Buffer.from(`${separator}${JSON.stringify(item)}\n`)
    separator = ','
  }
  yield Buffer.from(items.length === 0 ? '[]' : ']')
}

/** @throws MalformedFile */
export async function* readSourceFile(file: SourceFile): AsyncGenerator<RawItem> {
  for await (const { value } of readJsonItems(file, ['$.*'])) yield asRecord(value)
}
