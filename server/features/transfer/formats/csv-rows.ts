/** Reads CSV files as RFC 4180 describes them and as spreadsheets write them. */
import { pipeline, Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { createYield } from '../../../core/yield.ts'
import { MalformedFile } from '../json-stream.ts'
import { decodeText } from './decode-text.ts'
import { maxRowLength } from './read-limits.ts'
import type { SourceFile } from './uploaded-file.ts'

const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

/** How many bytes are parsed without a pause. */
const chunkBytes = 16 * 1024

/** Returns the delimiter of the first line: the one that occurs most outside quotes; null if it contains none. */
export function detectDelimiter(text: string): Delimiter | null {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const character of text.slice(0, maxRowLength)) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r') && counts.size > 0) break
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const count = (delimiter: Delimiter) => counts.get(delimiter) ?? 0
  const best = delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ','
  return count(best) === 0 ? null : best
}

/** Yields the rows of a file, which may differ in length. Formulas are texts like others. @throws MalformedFile */
export async function* readCsvRows(file: SourceFile, delimiter: Delimiter): AsyncGenerator<string[]> {
  yield* parseRows(cutText(decodeText(file.open())), delimiter)
}

/** Returns the rows at the beginning of a file. @param head the beginning, whose last row may be incomplete */
export async function readFirstRows(head: string, delimiter: Delimiter, count: number): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of parseRows(cutText([head]), delimiter, { skip_records_with_error: true })) {
    rows.push(row)
    if (rows.length === count) break
  }
  return rows
}

async function* parseRows(
  source: AsyncIterable<Buffer>,
  delimiter: Delimiter,
  options: Options = {},
): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRowLength,
    ...options,
  })
  pipeline(Readable.from(source), parser, () => undefined)
  const letOthersRun = createYield()
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      await letOthersRun()
      yield row
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw new MalformedFile('A row of the file is too long.')
    throw new MalformedFile("The file isn't valid CSV, or it is incomplete.")
  }
}

async function* cutText(source: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  for await (const text of source) {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
}
