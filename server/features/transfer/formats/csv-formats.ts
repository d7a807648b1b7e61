/** CSV files: which column holds what, for the known tools and by guessing. */
import { type CsvField, type CsvMapping, csvFields } from '@reelmark/contract/imports.ts'
import { csvColumnsMax } from '@reelmark/contract/protocol/limits.ts'
import { type Delimiter, readCsvRows } from './csv-rows.ts'
import { type RawItem, splitNames } from './imported-item.ts'
import type { SourceFile } from './uploaded-file.ts'

/** What is known of a CSV file before it is read: enough to show the mapping to the user. */
export interface CsvColumns {
  /** The first row; empty if it is not a header. */
  headers: string[]
  mapping: CsvMapping
  /** The first rows with items. */
  sample: string[][]
}

type CsvFormatName = 'raindrop-csv' | 'pocket-csv' | 'instapaper-csv' | 'reddit-saved-csv'

/** Files of tools by their headers, in lower case. */
const knownFormats: {
  format: CsvFormatName
  headers: string[]
  columns: Partial<Record<CsvField, string>>
}[] = [
  {
    format: 'raindrop-csv',
    headers: ['url', 'excerpt', 'folder', 'created'],
    columns: {
      url: 'url',
      title: 'title',
      description: 'excerpt',
      note: 'note',
      tags: 'tags',
      folder: 'folder',
      saved_at: 'created',
    },
  },
  {
    format: 'pocket-csv',
    headers: ['url', 'time_added', 'tags'],
    columns: { url: 'url', title: 'title', tags: 'tags', saved_at: 'time_added' },
  },
  {
    format: 'instapaper-csv',
    headers: ['url', 'selection', 'folder', 'timestamp'],
    columns: {
      url: 'url',
      title: 'title',
      note: 'selection',
      tags: 'tags',
      folder: 'folder',
      saved_at: 'timestamp',
    },
  },
  { format: 'reddit-saved-csv', headers: ['id', 'permalink'], columns: { url: 'permalink' } },
]

/** Names of columns by which a mapping is guessed, in lower case. */
const columnNames: Record<CsvField, readonly string[]> = {
  url: [
    'url',
    'link',
    'href',
    'uri',
    'permalink',
    'address',
    'video url',
    'video_url',
    'webpage_url',
    'source_url',
  ],
  title: ['title', 'name', 'video title', 'video_title', 'titel', 'titre', 'título', 'titolo'],
  description: ['description', 'excerpt', 'desc', 'summary', 'beschreibung'],
  note: ['note', 'notes', 'comment', 'comments', 'selection', 'notiz'],
  tags: ['tags', 'tag', 'labels', 'label', 'keywords', 'categories'],
  folder: ['folder', 'collection', 'list', 'playlist', 'category', 'group', 'ordner', 'dossier', 'carpeta'],
  saved_at: [
    'created',
    'created_at',
    'createdat',
    'date',
    'time',
    'timestamp',
    'time_added',
    'added',
    'added_at',
    'date added',
    'date_added',
    'saved_at',
    'datum',
  ],
  is_private: ['private', 'is_private', 'isprivate', 'visibility', 'access'],
}

/** Returns the tool whose files have these headers, with its mapping; null for other headers. */
export function findCsvFormat(
  header: readonly string[],
): { format: CsvFormatName; mapping: CsvMapping } | null {
  const names = header.slice(0, csvColumnsMax).map(normaliseHeader)
  const found = knownFormats.find(
    // Reddit's other lists have the same columns and more.
    ({ format, headers }) =>
      headers.every((name) => names.includes(name)) && (format !== 'reddit-saved-csv' || names.length === 2),
  )
  if (found === undefined) return null
  const columns = Object.entries(found.columns).map(([field, name]) => [field, names.indexOf(name)] as const)
  return { format: found.format, mapping: Object.fromEntries(columns.filter(([, column]) => column !== -1)) }
}

/**
 * Returns the columns of a file, with a guess of the mapping: by the names of the header, and for the links by the column
 * that contains some. Returns null if no column contains links.
 */
export function guessCsvColumns(rows: readonly string[][]): CsvColumns | null {
  const [first = []] = rows
  const isHeader = !first.some(isLink)
  const headers = isHeader ? first.slice(0, csvColumnsMax) : []
  const sample = (isHeader ? rows.slice(1) : rows).slice(0, 5)
  const names = headers.map(normaliseHeader)
  const mapping: CsvMapping = {}
  for (const field of csvFields) {
    const column = names.findIndex((name) => columnNames[field].includes(name))
    if (column !== -1) mapping[field] = column
  }
  const counts = new Map<number, number>()
  for (const row of rows) {
    row.slice(0, csvColumnsMax).forEach((cell, column) => {
      if (isLink(cell)) counts.set(column, (counts.get(column) ?? 0) + 1)
    })
  }
  if (mapping.url === undefined || !counts.has(mapping.url)) {
    const [best] = [...counts].toSorted(([, a], [, b]) => b - a)
    if (best === undefined) return null
    mapping.url = best[0]
  }
  return { headers, mapping, sample }
}

/** @throws MalformedFile */
export async function* readMappedCsv(
  file: SourceFile,
  delimiter: Delimiter,
  { headers, mapping }: Pick<CsvColumns, 'headers' | 'mapping'>,
): AsyncGenerator<RawItem> {
  let isHeader = headers.length > 0
  for await (const row of readCsvRows(file, delimiter)) {
    if (isHeader) isHeader = false
    else if (row.some((cell) => cell.trim() !== '')) yield readRow(row, mapping)
  }
}

function readRow(row: readonly string[], mapping: CsvMapping): RawItem {
  const cell = (field: CsvField) => row[mapping[field] ?? -1]
  return {
    url: cell('url'),
    title: cell('title'),
    description: cell('description'),
    note: cell('note'),
    tags: splitTags(cell('tags') ?? ''),
    folders: splitNames(cell('folder') ?? '', '/'),
    saved_at: cell('saved_at'),
    is_private: readPrivacy(cell('is_private') ?? ''),
  }
}

/** Tags are separated by commas (Raindrop), bars (Pocket), semicolons, or written as a JSON list (Instapaper). */
function splitTags(text: string): string[] {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).replaceAll('"', '') : text
  return splitNames(bare, /[,;|]/)
}

function readPrivacy(text: string): boolean | null {
  const value = text.trim().toLowerCase()
  if (['1', 'true', 'yes', 'private', 'unlisted'].includes(value)) return true
  return ['0', 'false', 'no', 'public'].includes(value) ? false : null
}

function normaliseHeader(text: string): string {
  return text.trim().toLowerCase()
}

function isLink(text: string): boolean {
  return /^\s*https?:\/\/\S/i.test(text)
}
