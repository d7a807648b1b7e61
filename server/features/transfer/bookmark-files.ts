/** The formats of files with bookmarks that other programs read: Netscape bookmark HTML, and CSV (RFC 4180). No I/O. */
import { markup } from '../../core/http/markup.ts'

/** A bookmark as these files contain it. */
export interface ExportedBookmark {
  title: string
  url: string
  description: string
  tags: string[]
  /** Blank: not in a collection of the user, but found by a smart collection. */
  collection: string
  channel: string
  is_private: boolean
  orientation: string
  /** ISO 8601 in UTC with microseconds. */
  created_at: string
  private_note: string
  start_seconds: number | null
  duration: number | null
  /** The name of its picture in the zip file; missing in exports without pictures. */
  picture?: string | null
}

/** A folder of bookmarks; a channel is a folder within that of its collection. */
export interface ExportedFolder {
  name: string
  description: string
  created_at: string
}

/** Writes the parts of a file in the order in which they are in it. */
export interface BookmarkFileFormat {
  begin: () => string
  openFolder: (folder: ExportedFolder) => string
  bookmark: (bookmark: ExportedBookmark) => string
  closeFolder: () => string
  end: () => string
}

/**
 * Browsers and bookmark managers read this format. It has no place for private notes and start times. Raindrop also writes
 * DATA-COVER.
 */
export const netscapeHtml: BookmarkFileFormat = {
  begin: () => `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
`,
  openFolder: ({ name, description, created_at }) =>
    markup`<DT><H3 ADD_DATE="${unixSeconds(created_at)}">${name}</H3>
${description === '' ? null : markup`<DD>${description}\n`}<DL><p>
`.markup,
  bookmark: ({ title, url, description, tags, is_private, created_at, picture }) =>
    markup`<DT><A HREF="${url}" ADD_DATE="${unixSeconds(created_at)}" PRIVATE="${is_private ? 1 : 0}" TAGS="${tags.join(',')}"${picture == null ? null : markup` DATA-COVER="${picture}"`}>${title}</A>
${description === '' ? null : markup`<DD>${description}\n`}`.markup,
  closeFolder: () => '</DL><p>\n',
  end: () => '</DL><p>\n',
}

function unixSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}

const csvColumns: Record<string, (bookmark: ExportedBookmark) => string | number | null> = {
  title: ({ title }) => title,
  url: ({ url }) => url,
  description: ({ description }) => description,
  tags: ({ tags }) => tags.join(', '),
  collection: ({ collection }) => collection,
  channel: ({ channel }) => channel,
  access: ({ is_private }) => (is_private ? 'private' : 'public'),
  orientation: ({ orientation }) => orientation,
  created_at: ({ created_at }) => created_at,
  private_note: ({ private_note }) => private_note,
  start_seconds: ({ start_seconds }) => start_seconds,
  duration: ({ duration }) => duration,
}

/** Spreadsheets open this format. The byte order mark makes Excel read it as UTF-8. */
export const csv = createCsvFormat(csvColumns)

/** The same with a column for the picture. */
export const csvWithPictures = createCsvFormat({ ...csvColumns, picture: ({ picture }) => picture ?? '' })

function createCsvFormat(columns: typeof csvColumns): BookmarkFileFormat {
  return {
    begin: () => `\ufeff${writeCsvRow(Object.keys(columns))}`,
    openFolder: () => '',
    bookmark: (bookmark) => writeCsvRow(Object.values(columns).map((read) => read(bookmark))),
    closeFolder: () => '',
    end: () => '',
  }
}

/** Returns a row of a CSV file (RFC 4180). Texts that a spreadsheet would evaluate are neutralised. */
export function writeCsvRow(values: readonly (string | number | null)[]): string {
  const fields = values.map((value) =>
    typeof value === 'string' ? `"${neutraliseFormula(value).replaceAll('"', '""')}"` : String(value ?? ''),
  )
  return `${fields.join(',')}\r\n`
}

/**
 * Puts an apostrophe before a text that a spreadsheet would evaluate as a formula, and before one that begins with an
 * apostrophe. Removing one apostrophe before any of these characters restores the text
 * (docs/decisions/0060-feeds-and-discovery.md).
 */
function neutraliseFormula(text: string): string {
  return /^[=+\-@\t\r'＝＋－＠]/.test(text) ? `'${text}` : text
}
