/** Large files are read without stopping other requests, and without being held in memory. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { expect, test } from 'vitest'
import { detectFormat } from './detect-format.ts'
import { readItems } from './read-items.ts'
import { storeUpload } from './uploaded-file.ts'
import { createZip } from './zip.fixture.ts'

/** Milliseconds for reading some files of 30 MB on a busy machine. */
const timeout = 600_000
/** How many times a file must stall the process before the stall counts: the machine is shared. */
const attempts = 3
/** Fixed work without a pause, against which turns are compared: machines differ, and are slower under load. */
const yardstickBytes = Buffer.alloc(12 * 1024 * 1024, 'reelmark')

function* repeat(head: string, row: (n: number) => string, rows: number, tail = ''): Generator<Buffer> {
  yield Buffer.from(head)
  for (let n = 0; n < rows; n += 500) {
    yield Buffer.from(Array.from({ length: 500 }, (_, index) => row(n + index)).join(''))
  }
  yield Buffer.from(tail)
}

const text = 'Some words that describe a video, "quoted" & long. '.repeat(4)
const quoted = text.replaceAll('"', '""')

const files: { name: string; rows: number; content: () => Iterable<Buffer> }[] = [
  {
    name: 'CSV',
    rows: 100_000,
    content: () =>
      repeat(
        'title,url,time_added,tags\n',
        (n) => `"${quoted}",https://vimeo.com/${n},1700000000,a|b\n`,
        100_000,
      ),
  },
  {
    name: 'JSON',
    rows: 50_000,
    content: () =>
      repeat(
        '[{"href":"x","description":"y"}',
        (n) =>
          `,${JSON.stringify({ href: `https://vimeo.com/${n}`, description: text, extended: text, tags: 'a b' })}`,
        50_000,
        ']',
      ),
  },
  {
    name: 'bookmarks',
    rows: 100_000,
    content: () =>
      repeat(
        '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>',
        (n) =>
          `<DT><A HREF="https://vimeo.com/${n}" ADD_DATE="1700000000" TAGS="a,b">Title ${n} &amp; more</A>\n<DD>${'words '.repeat(20)}\n`,
        100_000,
      ),
  },
  {
    name: 'one playlist',
    rows: 50_000,
    content: () =>
      repeat('{"watch_history":[],"playlists":[{"title":"A","videos":["x"', (n) => `,"${n}"`, 50_000, ']}]}'),
  },
  {
    name: 'list',
    rows: 300_000,
    content: () => repeat('', (n) => `https://vimeo.com/${n}\n`, 300_000),
  },
  { name: 'SQLite', rows: 100_000, content: () => createDatabase(manyStreams) },
  {
    name: 'zip',
    rows: 100_000,
    content: () => [
      createZip([
        {
          name: 'bookmarks.csv',
          content: Buffer.concat([
            ...repeat(
              'title,url,time_added,tags\n',
              (n) => `${(n * 7919).toString(36)},https://vimeo.com/${n},1700000000,\n`,
              100_000,
            ),
          ]),
        },
      ]),
    ],
  },
]

const manyStreams = `
  insert into playlists values (1, 'Mix');
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
  insert into streams select i, 'https://vimeo.com/' || i, 'Title ' || i from n;
  insert into playlist_stream_join select 1, uid, uid from streams`

function createDatabase(rows: string): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'reelmark-newpipe-'))
  const db = new DatabaseSync(join(folder, 'a.db'))
  db.exec(`
    create table streams (uid integer primary key, url text, title text);
    create table playlists (uid integer primary key, name text);
    create table playlist_stream_join (playlist_id, stream_id, join_index, primary key (playlist_id, join_index));
    ${rows}`)
  db.close()
  const content = readFileSync(join(folder, 'a.db'))
  rmSync(folder, { recursive: true })
  return [content]
}

async function countItems(content: Iterable<Buffer>): Promise<number> {
  async function* source() {
    yield* content
  }
  await using upload = await storeUpload(source(), limits.importMax)
  const detected = await detectFormat(upload)
  if (detected.format === 'reelmark') throw new Error('unexpected format')
  let count = 0
  for await (const _ of readItems(detected, upload)) count += 1
  return count
}

/** Returns the longest turn of the event loop during the work, in milliseconds of processor time. */
async function measureLongestTurn(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let before = { time: performance.now(), cpu: process.threadCpuUsage() }
  while (!isDone) {
    await setImmediate()
    const now = { time: performance.now(), cpu: process.threadCpuUsage() }
    const cpuMs = (now.cpu.user - before.cpu.user + now.cpu.system - before.cpu.system) / 1000
    longest = Math.max(longest, Math.min(now.time - before.time, cpuMs))
    before = now
  }
  await done
  return longest
}

/** Returns how long the process takes for the fixed work now, in milliseconds of processor time: about 75. */
function measureYardstick(): number {
  const before = process.threadCpuUsage()
  let sum = 0
  for (const byte of yardstickBytes) sum = (sum * 31 + byte) | 0
  const { user, system } = process.threadCpuUsage(before)
  expect(sum).not.toBe(0)
  return (user + system) / 1000
}

/** Reads a file, and expects that no turn of the event loop takes longer than the fixed work. */
async function expectNoStall(content: Iterable<Buffer>, rows: number): Promise<void> {
  const chunks = [...content]
  const ratios: number[] = []
  for (let attempt = 0; attempt < attempts && ratios.every((ratio) => ratio >= 1); attempt += 1) {
    let count = 0
    const work = countItems(chunks).then((found) => {
      count = found
    })
    const longest = await measureLongestTurn(work)
    const fixed = measureYardstick()
    ratios.push(longest / fixed)
    expect(count).toBeGreaterThanOrEqual(rows)
  }
  expect(Math.min(...ratios)).toBeLessThan(1)
}

test.each(files)(
  'a large file ($name) does not stop other requests while it is read',
  { timeout },
  async ({ content, rows }) => {
    await expectNoStall(content(), rows)
  },
)

test.each([
  {
    name: 'folders in CSV',
    text: `url,title,folder\n${`https://vimeo.com/1,A,${'a/'.repeat(250_000)}\n`.repeat(5)}`,
  },
  {
    name: 'tags in JSON',
    text: JSON.stringify(
      [1, 2, 3].map(() => ({ href: 'https://vimeo.com/1', description: 'A', tags: 'a '.repeat(4_000_000) })),
    ),
  },
  {
    name: 'tags in HTML',
    text: `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${`<DT><A HREF="https://vimeo.com/1" TAGS="${'a,'.repeat(500_000)}">A</A>`.repeat(5)}`,
  },
])(
  'a file with very many $name does not stop other requests while it is read',
  { timeout },
  async ({ text }) => {
    await expectNoStall([Buffer.from(text)], 3)
  },
)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function measureUsedMegabytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

test.each(files.filter(({ name }) => name !== 'zip' && name !== 'SQLite'))(
  'a large file ($name) is not held in memory',
  { timeout },
  async ({ content, rows }) => {
    async function* source() {
      yield* content()
    }
    await using upload = await storeUpload(source(), limits.importMax)
    const detected = await detectFormat(upload)
    if (detected.format === 'reelmark') throw new Error('unexpected format')
    const usedMegabytes: number[] = []
    let count = 0
    for await (const _ of readItems(detected, upload)) {
      count += 1
      if (count % Math.floor(rows / 5) !== 1000) continue
      usedMegabytes.push(measureUsedMegabytes())
    }
    expect(usedMegabytes.length).toBeGreaterThanOrEqual(4)
    expect((usedMegabytes.at(-1) ?? 0) - (usedMegabytes[0] ?? 0)).toBeLessThan(5)
  },
)

const longText = 'x'.repeat(20_000)

test.each([
  {
    name: 'FreeTube',
    content: () =>
      repeat(
        '{"playlistName":"A","videos":[{"videoId":"aaaaaaaaaaa"}]}\n',
        (n) => `{"playlistName":"${n}${longText}","videos":[]}\n`,
        2000,
      ),
  },
  {
    name: 'Karakeep',
    content: () =>
      repeat(
        '{"bookmarks":[{"createdAt":1,"content":{"type":"link","url":"https://vimeo.com/1"}}],"lists":[{"id":"x"}',
        (n) => `,{"id":"${n}${longText}","name":"A"}`,
        2000,
        ']}',
      ),
  },
  {
    name: 'NewPipe',
    content: () =>
      createDatabase(`
        insert into streams values (1, 'https://vimeo.com/1', 'A');
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
        insert into playlists select i, i || hex(zeroblob(10000)) from n;
        insert into playlist_stream_join values (1, 1, 1)`),
  },
  {
    name: 'YouTube',
    content: () => {
      const names = Array.from({ length: 1000 }, (_, n) => `A${n}_`)
      const index = repeat(
        'Playlist ID,a,b,c,d,e,f,Title\n',
        (n) => `PL${n},,,,,,,A${n}${'!'.repeat(20_000)}\n`,
        1000,
      )
      return [
        createZip([
          { name: 'playlists.csv', content: Buffer.concat([...index]), method: 0 },
          ...names.map((name) => ({
            name: `${name}.csv`,
            content: 'Video ID,Time\naaaaaaaaaaa,2024-01-01T00:00:00+00:00\n',
          })),
        ]),
      ]
    },
  },
])('long names and ids of folders ($name) are not held in memory', { timeout }, async ({ content }) => {
  async function* source() {
    yield* content()
  }
  await using upload = await storeUpload(source(), limits.importMax)
  const detected = await detectFormat(upload)
  if (detected.format === 'reelmark') throw new Error('unexpected format')
  const usedBefore = measureUsedMegabytes()
  let usedAtFirstItem: number | null = null
  for await (const item of readItems(detected, upload)) {
    expect(item).toMatchObject({ kind: 'saved' })
    usedAtFirstItem = measureUsedMegabytes()
    break
  }
  expect((usedAtFirstItem ?? Infinity) - usedBefore).toBeLessThan(10)
})
