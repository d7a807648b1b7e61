/** Recognises the format of an upload by its content. The name of the upload is not used. */
import { MalformedFile } from '../json-stream.ts'
import { type CsvColumns, findCsvFormat, guessCsvColumns } from './csv-formats.ts'
import { type Delimiter, detectDelimiter, readFirstRows } from './csv-rows.ts'
import { decodeText } from './decode-text.ts'
import { type FormatName, formatLabels } from './format-labels.ts'
import { findJsonFormat, readJsonShape } from './json-shape.ts'
import { headBytes, manyEntries, maxDataEntries, maxPageEntries, shortHeadBytes } from './read-limits.ts'
import { readHead, type SourceFile, type UploadedFile } from './uploaded-file.ts'
import { findYoutubeCsv } from './youtube.ts'
import { openArchive } from './zip-archive.ts'

/** The format of one file of another tool. */
export interface FileFormat {
  format: Exclude<FormatName, 'zip' | 'reelmark'>
  /** Only of CSV files. */
  delimiter?: Delimiter
  /** Only of CSV files whose columns the user can map. */
  columns?: CsvColumns
}

/** A file in a zip file. */
export interface ArchivedFile extends FileFormat {
  /** Its position in the directory of the zip file. */
  index: number
  name: string
}

export interface ArchiveFormat {
  format: 'zip'
  /** The files that can be read, in the order in which they are read. */
  files: ArchivedFile[]
  /** How many files cannot. */
  ignored: number
}

/** The format of an upload that readItems reads. */
export type ForeignFormat = { label: string } & (FileFormat | ArchiveFormat)

/** An export of Reelmark itself, which upload-import.ts imports. */
export interface OwnFormat {
  label: string
  format: 'reelmark'
  /** Its position in the directory of the zip file; null: the upload is the export itself. */
  entry: number | null
  /** The other files of the zip file. */
  ignored: number
}

export type DetectedFormat = ForeignFormat | OwnFormat

/** @throws MalformedFile if the format is unknown. */
export async function detectFormat(upload: UploadedFile): Promise<DetectedFormat> {
  const head = await readHead(upload)
  if (head.length === 0) throw new MalformedFile('The file is empty.')
  if (isZip(head)) return detectArchive(upload)
  const found = await detectFile(head)
  if (found === null) throw new MalformedFile(describeUnknown(head))
  const label = formatLabels[found.format]
  return found.format === 'reelmark' ? { ...found, label, entry: null, ignored: 0 } : { ...found, label }
}

/** Returns the format of a file by its beginning; null if it is unknown. */
async function detectFile(head: Buffer): Promise<FileFormat | { format: 'reelmark' } | null> {
  if (head.toString('latin1', 0, 16) === 'SQLite format 3\0') return { format: 'newpipe' }
  const text = await decodeHead(head)
  const start = text.slice(0, 2000).trimStart()
  if (start.startsWith('{') || start.startsWith('[')) {
    const format = findJsonFormat(await readJsonShape(text))
    return format === null ? null : { format }
  }
  if (start.startsWith('<')) return detectPage(text)
  return (await detectCsv(text)) ?? (/https?:\/\/\S/i.test(text) ? { format: 'link-list' } : null)
}

function detectPage(text: string): FileFormat | null {
  const isHistory = /\bcontent-cell\b/.test(text) && /youtube\.com\/(?:watch|shorts)/.test(text)
  if (isHistory) return { format: 'youtube-history-page' }
  if (/<!doctype netscape-bookmark-file|<title>pocket export/i.test(text)) return { format: 'bookmark-page' }
  return /<a\s/i.test(text) ? { format: 'link-page' } : null
}

async function detectCsv(text: string): Promise<FileFormat | null> {
  const delimiter = detectDelimiter(text)
  if (delimiter === null) return null
  const rows = await readFirstRows(text, delimiter, 20)
  const youtube = findYoutubeCsv(rows)
  if (youtube !== null) return { format: youtube, delimiter }
  const [header = []] = rows
  const known = findCsvFormat(header)
  const columns = guessCsvColumns(rows)
  if (known !== null) {
    const { format, mapping } = known
    return { format, delimiter, columns: { headers: header, mapping, sample: rows.slice(1, 6) } }
  }
  // Running text with commas is a list of links.
  const isTable = rows.length > 1 && rows.every((row) => row.length === header.length)
  return columns !== null && isTable ? { format: 'csv', delimiter, columns } : null
}

async function detectArchive(upload: UploadedFile): Promise<DetectedFormat> {
  await using archive = await openArchive(upload)
  const files: ArchivedFile[] = []
  const candidates = listCandidates(archive.entries)
  const bytes = candidates.length > manyEntries ? shortHeadBytes : headBytes
  for (const { entry, index } of candidates) {
    const found = await detectFile(await readHead(entry, bytes))
    const name = entry.name ?? ''
    if (found === null) continue
    if (found.format === 'reelmark') {
      return { ...found, label: formatLabels.reelmark, entry: index, ignored: archive.entries.length - 1 }
    }
    // Other tables, texts and pages in an export are not the user's links, unless the zip file contains nothing else.
    if (generalFormats.has(found.format) && archive.entries.length > 1) continue
    // Reddit's list of hidden posts looks the same.
    if (found.format === 'reddit-saved-csv' && !name.includes('saved')) continue
    files.push({ ...found, index, name })
  }
  const [first] = files
  if (first === undefined) throw new MalformedFile('The zip file contains nothing that we can import.')
  const isTakeout = files.some(({ format }) => format.startsWith('youtube'))
  const label = isTakeout ? 'YouTube export (Takeout)' : formatLabels[first.format]
  return { format: 'zip', label, files, ignored: archive.entries.length - files.length }
}

const generalFormats: ReadonlySet<string> = new Set(['csv', 'link-list', 'link-page'])

/** Returns the entries that may be readable, data files before pages. */
function listCandidates(entries: readonly SourceFile[]) {
  const named = (extensions: RegExp) =>
    entries.flatMap((entry, index) => (extensions.test(entry.name ?? '') ? [{ entry, index }] : []))
  return [
    ...named(/\.(?:csv|json|db)$/i).slice(0, maxDataEntries),
    ...named(/\.(?:html?|txt)$/i).slice(0, maxPageEntries),
  ]
}

/** Returns whether an upload is a zip file. */
export async function isZipFile(upload: UploadedFile): Promise<boolean> {
  return isZip(await readHead(upload, 4))
}

function isZip(head: Buffer): boolean {
  const start = head.toString('latin1', 0, 4)
  return start === 'PK\x03\x04' || start === 'PK\x05\x06'
}

function describeUnknown(head: Buffer): string {
  const isGzip = head[0] === 0x1f && head[1] === 0x8b
  if (isGzip) return "We can't read this kind of archive. Choose the zip format for the export."
  return "We don't know this kind of file."
}

async function decodeHead(head: Buffer): Promise<string> {
  async function* once() {
    yield head
  }
  let text = ''
  for await (const piece of decodeText(once())) text += piece
  return text
}
