/** Files that tools write, but seldom: other encodings, orders and times, empty lists, and texts of any kind. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTime } from './read-time.ts'
import { filledFields, readUpload, streamContent } from './read-upload.fixture.ts'

describe('an encoding', () => {
  const page = (charset: string, title: string) =>
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${charset}">\n<DL><p>${'<!-- x -->'.repeat(8000)}<DT><A HREF="https://vimeo.com/1">${title}</A></DL>`

  test.each([
    {
      name: 'Windows-1252 without a declaration',
      bytes: Buffer.from('title,url,tags,time_added\nCafé,https://vimeo.com/1,,\n', 'latin1'),
    },
    { name: 'Windows-1252 that is declared as UTF-8', bytes: Buffer.from(page('UTF-8', 'Café'), 'latin1') },
    { name: 'ISO-8859-1', bytes: Buffer.from(page('iso-8859-1', 'Café'), 'latin1') },
    { name: 'UTF-8 that is declared as another', bytes: Buffer.from(page('iso-8859-1', 'Café')) },
    { name: 'UTF-16 without a byte order mark', bytes: Buffer.from(page('utf-16', 'Café'), 'utf16le') },
    { name: 'an unknown one', bytes: Buffer.from(page('nonsense', 'Café'), 'latin1') },
  ])('of a file: $name', async ({ bytes }) => {
    const { items } = await readUpload(bytes)
    expect(items.map(({ title }) => title)).toEqual(['Café'])
  })

  test('that is declared, such as Shift_JIS, is used', async () => {
    const head = Buffer.from(
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><META CHARSET="Shift_JIS"><DL><DT><A HREF="https://vimeo.com/1">',
    )
    const { items } = await readUpload(
      Buffer.concat([head, Buffer.from([0x93, 0xfa, 0x96, 0x7b]), Buffer.from('</A></DL>')]),
    )
    expect(items.map(({ title }) => title)).toEqual(['日本'])
  })

  test('with a broken character in UTF-8 costs that character only', async () => {
    const bytes = Buffer.concat([
      Buffer.from('title,url,tags,time_added\nGrüße '),
      Buffer.from([0xff]),
      Buffer.from(' 日本,https://vimeo.com/1,,\n'),
    ])
    const { items } = await readUpload(bytes)
    expect(items.map(({ title }) => title)).toEqual(['Grüße \ufffd 日本'])
  })

  test('does not depend on where the file is cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.constantFrom<BufferEncoding>('utf8', 'utf16le'),
        fc.integer({ min: 1, max: 9 }),
        async (titles, encoding, size) => {
          const text = `\ufeff${JSON.stringify(titles.map((title) => ({ href: 'https://vimeo.com/1', description: title })))}`
          const whole = await readUpload(Buffer.from(text, encoding))
          const cut = await readUpload(streamContent(Buffer.from(text, encoding), size))
          expect(cut.items).toEqual(whole.items)
          expect(cut.items).toHaveLength(titles.length)
        },
      ),
      { numRuns: 50 },
    ))
})

test.each([
  ['2023-11-14T22:13:20Z', '2023-11-14T22:13:20.000Z'],
  ['2023-11-14T23:13:20+01:00', '2023-11-14T22:13:20.000Z'],
  ['2023-11-14T23:13:20+0100', '2023-11-14T22:13:20.000Z'],
  ['2023-11-14 22:13:20', '2023-11-14T22:13:20.000Z'],
  ['2023-11-14 22:13:20 UTC', '2023-11-14T22:13:20.000Z'],
  ['Tue, 14 Nov 2023 22:13:20 GMT', '2023-11-14T22:13:20.000Z'],
  ['2023-11-14', '2023-11-14T00:00:00.000Z'],
  [1700000000, '2023-11-14T22:13:20.000Z'],
  ['1700000000', '2023-11-14T22:13:20.000Z'],
  [1700000000123, '2023-11-14T22:13:20.123Z'],
  [1700000000123456, '2023-11-14T22:13:20.123Z'],
  [1700000000123456000, '2023-11-14T22:13:20.123Z'],
  [0, null],
  ['0', null],
  ['1970-01-01T00:00:00Z', null],
  ['3000-01-01T00:00:00Z', null],
  [32503680000, null],
  [-1, null],
  [Number.NaN, null],
  ['', null],
  ['yesterday', null],
  ['x'.repeat(100_000), null],
  [null, null],
  [{}, null],
])('the time %s is read as %s', (value, expected) => {
  expect(readTime(value)).toBe(expected)
})

describe('a file without items', () => {
  test.each([
    {
      name: 'a bookmark file with folders only',
      content: '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>A</H3><DL><p></DL><p></DL>',
    },
    { name: 'a bookmark file with nothing', content: '<!DOCTYPE NETSCAPE-Bookmark-file-1>' },
    { name: 'a CSV file with a header only', content: 'title,url,time_added,tags,status\n' },
    {
      name: 'an export without lists',
      content: '{"subscriptions":[],"watch_history":[],"preferences":{},"playlists":[]}',
    },
    {
      name: 'a Linkwarden account without links',
      content: '{"username":"a","collections":[{"id":1,"name":"A","isPublic":false,"links":[]}]}',
    },
  ])('is read as such: $name', async ({ content }) => {
    expect(await readUpload(content)).toMatchObject({ items: [], rejected: [] })
  })

  test.each([
    ['', 'The file is empty.'],
    ['   \n', "We don't know this kind of file."],
    ['[]', "We don't know this kind of file."],
    ['{"a":1}', "We don't know this kind of file."],
    ['plain text, without links', "We don't know this kind of file."],
    ['a,b\n1,2\n', "We don't know this kind of file."],
    ['<p>No links</p>', "We don't know this kind of file."],
    ['\x1f\x8b\x08\x00', "We can't read this kind of archive. Choose the zip format for the export."],
    ['\x89PNG\r\n\x1a\n', "We don't know this kind of file."],
  ])('or of another kind is refused: %j', async (content, message) => {
    await expect(readUpload(Buffer.from(content, 'latin1'))).rejects.toThrow(message)
  })
})

test('columns in another order, missing and additional ones are read by their names', async () => {
  const { detected, items } = await readUpload(
    'Tags,TIME_ADDED,extra,URL\nfilm|art,1700000000,x,https://vimeo.com/1\n,,,\nfilm,1700000000\n',
  )
  expect(detected).toMatchObject({ format: 'pocket-csv' })
  expect(items.map(filledFields)).toEqual([
    { url: 'https://vimeo.com/1', tags: ['film', 'art'], saved_at: '2023-11-14T22:13:20.000Z' },
  ])
})

test('the same link twice is read twice, for the importer to count', async () => {
  const { items } = await readUpload('https://vimeo.com/1\nhttps://vimeo.com/1\n')
  expect(items).toHaveLength(2)
})

test('deeper folders are combined, and texts are cut to what a bookmark holds', async () => {
  const depth = 14
  const folders = Array.from({ length: depth }, (_, n) => `<DT><H3>F${n}</H3><DL><p>`).join('')
  const { items } = await readUpload(
    `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${folders}<DT><A HREF="https://vimeo.com/1" TAGS="${'long '.repeat(50)},#ok">${'T'.repeat(9000)}</A><DD>${'D'.repeat(9000)}`,
  )
  expect(items[0]?.folders).toHaveLength(10)
  expect(items[0]?.folders.at(-1)).toBe('F9 / F10 / F11 / F12 / F13')
  expect(items[0]?.title).toBe('T'.repeat(300))
  expect(items[0]?.description).toBe('D'.repeat(5000))
  expect(items[0]?.tags).toEqual(['ok'])
})

/** Writes bookmarks as browsers do. */
function writePage(
  bookmarks: readonly { title: string; url: string; tags: string[]; folders: string[] }[],
): string {
  const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${bookmarks
    .map(({ title, url, tags, folders }) => {
      const link = `<DT><A HREF="${escapeHtml(url)}" TAGS="${escapeHtml(tags.join(','))}">${escapeHtml(title)}</A>\n`
      return folders.reduceRight(
        (inner, name) => `<DT><H3>${escapeHtml(name)}</H3>\n<DL><p>\n${inner}</DL><p>\n`,
        link,
      )
    })
    .join('')}</DL>`
}

test('what is written as a bookmark file is read again, whatever the texts and folders', () => {
  // Without the white space and control characters that are normalised, and not longer than stored texts.
  const word = fc
    .string({ unit: 'binary-ascii', minLength: 1, maxLength: 30 })
    .filter((text) => /^[!-~]+( [!-~]+)*$/.test(text))
  const bookmark = fc.record({
    title: word,
    url: fc.webUrl({ withQueryParameters: true }),
    tags: fc.uniqueArray(fc.stringMatching(/^[a-z0-9&<"']{1,10}$/), { maxLength: 4 }),
    folders: fc.array(word, { maxLength: 5 }),
  })
  return fc.assert(
    fc.asyncProperty(fc.array(bookmark, { minLength: 1, maxLength: 10 }), async (bookmarks) => {
      const { items } = await readUpload(writePage(bookmarks))
      expect(items.map(({ title, url, tags, folders }) => ({ title, url, tags, folders }))).toEqual(
        bookmarks.map(({ title, ...rest }) => ({ ...rest, title: title === rest.url ? '' : title })),
      )
    }),
    { numRuns: 30 },
  )
})

test('what is written as CSV is read again, whatever the texts, delimiter and line ends', () => {
  const cell = fc
    .string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '|', ' ', '=', '日'), maxLength: 20 })
    .map((text) => text.trim())
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  return fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title: cell, note: cell }), { minLength: 2, maxLength: 10 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n'),
      async (rows, delimiter, lineEnd) => {
        const lines = rows.map(({ title, note }, n) =>
          [quote(title), quote(note), `https://vimeo.com/${n}`].join(delimiter),
        )
        const { items } = await readUpload([['title', 'note', 'url'].join(delimiter), ...lines].join(lineEnd))
        expect(items.map(({ title, note }) => ({ title, note }))).toEqual(
          rows.map(({ title, note }) => ({ title: title.replace(/ +/g, ' '), note })),
        )
      },
    ),
    { numRuns: 50 },
  )
})
