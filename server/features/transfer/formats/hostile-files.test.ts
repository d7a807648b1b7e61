/** Files that are made to harm the server: each is refused with a clear error, or read as what it contains. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { MalformedFile } from '../json-stream.ts'
import { maxDirectoryBytes, maxZipEntries } from './read-limits.ts'
import { readUpload } from './read-upload.fixture.ts'
import { createZip } from './zip.fixture.ts'

/** Milliseconds in which even a slow machine notices that a file is refused. */
const maxMs = 60_000

const links = (count: number) => Array.from({ length: count }, (_, n) => `https://vimeo.com/${n}`).join('\n')
const pinboard = '[{"href":"https://vimeo.com/1","description":"A"}]'
const csvHeader = 'title,url,time_added,tags\n'
const pageHead = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>'

async function refuse(content: Parameters<typeof readUpload>[0]): Promise<string> {
  const error = await readUpload(content).catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(MalformedFile)
  // Nothing of the upload is left on disk.
  expect(readdirSync(folder)).toEqual([])
  return (error as MalformedFile).message
}

const folder = mkdtempSync(join(tmpdir(), 'reelmark-hostile-'))
beforeAll(() => {
  vi.stubEnv('TMPDIR', folder)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  {
    what: 'that expands to a hundred times what its size allows',
    zip: () => createZip([{ name: 'a.json', content: Buffer.alloc(50_000_000, ' ') }]),
    message: 'The zip file expands too much.',
  },
  {
    what: 'that claims a smaller size than it has',
    zip: () => createZip([{ name: 'a.json', content: Buffer.alloc(50_000_000, ' '), claimedSize: 1000 }]),
    message: 'The zip file is damaged.',
  },
  {
    what: 'that claims a size beyond 4 GB',
    zip: () => createZip([{ name: 'a.json', content: pinboard, claimedLongSize: 2n ** 50n }]),
    message: 'The zip file expands too much.',
  },
  {
    what: 'that claims a size beyond the numbers of JavaScript',
    zip: () => createZip([{ name: 'a.json', content: pinboard, claimedLongSize: 2n ** 60n }]),
    message: 'The zip file expands too much.',
  },
  {
    what: 'whose entries share their data',
    zip: () =>
      createZip([
        { name: 'a.json', content: pinboard },
        { name: 'b.json', content: pinboard, sharedWith: 0 },
      ]),
    message: 'The zip file is damaged.',
  },
  {
    what: 'with too many entries',
    zip: () =>
      createZip(
        Array.from({ length: maxZipEntries + 1 }, (_, n) => ({ name: `${n}`, content: '', method: 0 })),
      ),
    message: 'The zip file contains too many files.',
  },
  {
    what: 'whose names are too long',
    zip: () => {
      const count = Math.ceil(maxDirectoryBytes / 65_000)
      return createZip(
        Array.from({ length: count }, (_, n) => ({
          name: `${n}`.padEnd(65_000, '-'),
          content: '',
          method: 0,
        })),
      )
    },
    message: 'The zip file contains too many files.',
  },
  {
    what: 'that is encrypted',
    zip: () => createZip([{ name: 'a.json', content: pinboard, flags: 1 }]),
    message: 'The zip file is encrypted.',
  },
  {
    what: 'with another compression',
    zip: () => createZip([{ name: 'a.json', content: pinboard, method: 14 }]),
    message: 'The zip file is compressed in a way we cannot read.',
  },
  ...['../../etc/passwd', '/etc/passwd', 'C:\\a.json'].map((name) => ({
    what: `with the path ${name}`,
    zip: () => createZip([{ name, content: pinboard }]),
    message: 'The zip file is damaged.',
  })),
  {
    what: 'without files',
    zip: () => createZip([]),
    message: 'The zip file contains nothing that we can import.',
  },
  {
    what: 'that is cut off',
    zip: () => createZip([{ name: 'a.json', content: pinboard }]).subarray(0, -30),
    message: 'The zip file is damaged.',
  },
  {
    what: 'with damaged data',
    zip: () => {
      const zip = createZip([{ name: 'a.json', content: `[${`${pinboard.slice(1, -1)},`.repeat(99)}1]` }])
      zip.fill(0xff, 40, 60)
      return zip
    },
    message: 'The zip file is damaged.',
  },
  {
    what: 'in a zip file',
    zip: () => createZip([{ name: 'a.zip', content: createZip([{ name: 'a.json', content: pinboard }]) }]),
    message: 'The zip file contains nothing that we can import.',
  },
])(
  'a zip file $what is refused',
  async ({ zip, message }) => {
    expect(await refuse(zip())).toBe(message)
  },
  maxMs,
)

test(
  'a zip file with more files than are looked at is read as far as they are',
  async () => {
    const entries = Array.from({ length: 2500 }, (_, n) => ({
      name: `${n}.json`,
      content: pinboard,
      method: 0,
    }))
    const { detected, items } = await readUpload(createZip(entries))
    expect(detected).toMatchObject({ ignored: 500 })
    expect(items).toHaveLength(2000)
  },
  maxMs,
)

test(
  'an upload of a gigabyte is refused after the limit, without being stored any further',
  async () => {
    let sent = 0
    async function* endless() {
      const chunk = Buffer.alloc(1024 * 1024, 'a')
      for (; sent < 1024; sent += 1) yield chunk
    }
    expect(await refuse(endless())).toBe('The file is larger than 128 MB.')
    expect(sent).toBeLessThan(140)
  },
  maxMs,
)

test.each([
  { what: 'lists within each other', content: '['.repeat(1_000_000) },
  {
    what: 'objects within each other',
    content: `[{"href":"x","description":"y","a":${'{"a":'.repeat(100_000)}`,
  },
  {
    what: 'an endless text',
    content: `[{"href":"https://vimeo.com/1","description":"${'x'.repeat(20_000_000)}"}]`,
  },
  { what: 'an endless name', content: `[{"href":"x","description":"y"},{"${'x'.repeat(20_000_000)}":1}]` },
  {
    what: 'an item of very many values',
    content: `[{"href":"x","description":"y","a":[${'1,'.repeat(1_000_000)}1]}]`,
  },
  {
    what: 'an object of very many names, not closed',
    content: `{"playlistName":"x",${Array.from({ length: 300_000 }, (_, n) => `"a${n}":1`).join(',')}`,
  },
  { what: 'a missing end', content: pinboard.slice(0, -1) },
  { what: 'a text after the end', content: `${pinboard}x` },
  { what: 'a broken number', content: pinboard.replace('"A"', '1.') },
])(
  'a JSON file with $what is refused',
  async ({ content }) => {
    expect(await refuse(content)).toMatch(
      /^(?:The file isn't valid JSON, or it is incomplete\.|An item of the file is too long\.|The file is nested too deeply\.|We don't know this kind of file\.)$/,
    )
  },
  maxMs,
)

test.each([
  {
    what: 'folders within each other',
    content: pageHead + '<DT><H3>A</H3><DL><p>'.repeat(1000),
    message: 'The folders are nested too deeply.',
  },
  {
    what: 'an endless comment',
    content: `${pageHead}<!--${'x'.repeat(5_000_000)}`,
    message: 'A tag of the file is too long.',
  },
  {
    what: 'an endless tag',
    content: `${pageHead}<${'x'.repeat(5_000_000)}`,
    message: 'A tag of the file is too long.',
  },
])(
  'a bookmark file with $what is refused',
  async ({ content, message }) => {
    expect(await refuse(content)).toBe(message)
  },
  maxMs,
)

test.each([
  { what: 'millions of tags that are not closed', content: '<b>'.repeat(3_000_000) },
  { what: 'millions of end tags', content: '</i>'.repeat(3_000_000) },
  { what: 'opened and then other closed tags', content: '<b>'.repeat(500_000) + '</i>'.repeat(500_000) },
  { what: 'an endless attribute', content: `<A HREF="x" ICON="${'x'.repeat(5_000_000)}">` },
  { what: 'half a million attributes', content: `<A ${'a=b '.repeat(500_000)}>` },
  { what: 'a title of megabytes', content: `<DT><A HREF="x">${'x&amp;'.repeat(1_000_000)}` },
])(
  'a bookmark file with $what is read to its end',
  async ({ content }) => {
    const { items } = await readUpload(`${pageHead}${content}<DT><A HREF="https://vimeo.com/1">A</A></DL>`)
    expect(items.map(({ url }) => url)).toEqual(['https://vimeo.com/1'])
  },
  maxMs,
)

test.each([
  {
    what: 'a row without end',
    content: `${csvHeader}A,"${'x'.repeat(3_000_000)}`,
    message: 'A row of the file is too long.',
  },
  {
    what: 'a quotation without end',
    content: `${csvHeader}A,"https://vimeo.com/1\n`,
    message: "The file isn't valid CSV, or it is incomplete.",
  },
  {
    what: 'a row of very many columns',
    content: `${csvHeader}${'abc,'.repeat(1_000_000)}`,
    message: 'A row of the file is too long.',
  },
])(
  'a CSV file with $what is refused',
  async ({ content, message }) => {
    expect(await refuse(content)).toBe(message)
  },
  maxMs,
)

test('a list with a line without end is refused', async () => {
  expect(await refuse(`https://vimeo.com/1 ${'x'.repeat(5_000_000)}`)).toBe('A line of the file is too long.')
})

test('a file with more items than the limit is refused', { timeout: 600_000 }, async () => {
  expect(await refuse(links(500_001))).toBe('The file has more than 500,000 items.')
})

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'ftp://example.org/a',
  'https://user:password@example.org/',
  'https://',
  `https://${'a'.repeat(5000)}.example.org/`,
  `https://example.org/${'a'.repeat(5000)}`,
  'chrome://settings',
  '//',
])('the link %.60s is not usable, and reported', async (link) => {
  const { items, rejected } = await readUpload(JSON.stringify([{ href: link, description: 'A' }]))
  expect(items).toEqual([])
  expect(rejected).toMatchObject([{ row: 1, what: 'A' }])
})

test('formulas, zero bytes, lone surrogates and combining marks are texts that can be stored', async () => {
  const titles = ['=cmd|"/c calc"!A1', '@SUM(1)', 'a\0b', '\ud800x', `a${'\u0301'.repeat(1000)}`, '__proto__']
  const { items } = await readUpload(
    JSON.stringify(
      titles.map((description) => ({ href: 'https://vimeo.com/1', description, tags: '__proto__' })),
    ),
  )
  expect(items.map(({ title }) => title)).toEqual([
    '=cmd|"/c calc"!A1',
    '@SUM(1)',
    'ab',
    '\ufffdx',
    expect.stringMatching(/^\u00e1\u0301{1,30}$/),
    '__proto__',
  ])
  expect(({} as Record<string, unknown>).title).toBeUndefined()
})

test('values of other types than expected are left out', async () => {
  const values: unknown[] = [null, 1, true, [], {}, [[]], { toString: 1 }]
  const { items, rejected } = await readUpload(
    JSON.stringify([
      { href: 'https://vimeo.com/1', description: 'A' },
      ...values.map((value) => ({
        href: 'https://vimeo.com/1',
        description: value,
        extended: value,
        time: value,
        tags: value,
      })),
      ...values.map((value) => ({ href: value, description: value })),
      ...values,
    ]),
  )
  expect(items).toHaveLength(1 + values.length)
  expect(rejected).toHaveLength(2 * values.length)
})

test('folders that contain each other do not repeat without end', async () => {
  const { items } = await readUpload(
    JSON.stringify({
      bookmarks: [
        {
          createdAt: 1,
          title: 'A',
          tags: [],
          lists: ['a'],
          content: { type: 'link', url: 'https://vimeo.com/1' },
        },
      ],
      lists: [
        { id: 'a', name: 'A', parentId: 'b' },
        { id: 'b', name: 'B', parentId: 'a' },
      ],
    }),
  )
  expect(items[0]?.folders).toHaveLength(10)
})
