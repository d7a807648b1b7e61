import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Export, ExportSource } from '@reelmark/contract/transfer.ts'
import { downloadExport, getExport, startExport } from '@reelmark/contract/transfer.ts'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { createDestination, saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { createViewer } from '../../testing/test-viewer.ts'
import { useSite } from '../../testing/use-site.ts'
import { readFolders, readSmartBookmarks } from './bookmark-file-rows.ts'
import { csv, type ExportedBookmark, netscapeHtml } from './bookmark-files.ts'
import { waitUntilFinished } from './full-account.fixture.ts'

const { site, alice, bob } = await useSite({ work: true })

/** Exports and returns the file with its headers. */
async function exportFile(user: TestUser, query: ExportSource) {
  const started = await site.call(startExport, { query }, user)
  const finished = await waitUntilFinished(() => site.call(getExport, { params: { id: started.id } }, user))
  expect(finished.state).toBe('done')
  const reply = await site.app.inject({
    url: `/api/transfer/exports/${started.id}/file/`,
    headers: { authorization: `Bearer ${user.access}` },
  })
  return { export: finished as Export, headers: reply.headers, text: reply.body }
}

const restoreFormula = (text: string) => text.replace(/^'(?=[=+\-@\t\r'＝＋－＠])/, '')
const readCsv = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true, record_delimiter: '\r\n', cast: (value) => restoreFormula(value) })

interface Folder {
  name: string
  description: string
  bookmarks: { title: string; url: string; description: string; attributes: Record<string, string> }[]
  folders: Folder[]
}

/** Reads Netscape bookmark HTML as browsers do: `DD` and `DL` belong to the `DT` before them. */
function readNetscape(html: string): Folder {
  type Node = ReturnType<typeof parseDocument>['children'][number]
  const textOf = (node: Node): string =>
    node.type === 'text' ? node.data : 'children' in node ? node.children.map(textOf).join('') : ''
  const root: Folder = { name: '', description: '', bookmarks: [], folders: [] }
  const open = [root]
  let last: { description: string } = root
  let next: Folder = root
  const visit = (node: Node): void => {
    if (!('children' in node)) return
    const current = open.at(-1) as Folder
    const attributes = 'attribs' in node ? node.attribs : {}
    const name = 'name' in node ? node.name : ''
    if (name === 'h3') {
      next = { name: textOf(node), description: '', bookmarks: [], folders: [] }
      current.folders.push(next)
      last = next
    } else if (name === 'a') {
      const bookmark = { title: textOf(node), url: attributes.href ?? '', description: '', attributes }
      current.bookmarks.push(bookmark)
      last = bookmark
    } else if (name === 'dd') {
      last.description = node.children
        .filter((child) => child.type === 'text')
        .map(textOf)
        .join('')
        .replace(/\n$/, '')
      node.children.forEach(visit)
    } else if (name === 'dl') {
      open.push(next)
      node.children.forEach(visit)
      open.pop()
    } else node.children.forEach(visit)
  }
  visit(parseDocument(html) as unknown as Node)
  return root
}

const vault = await vaultDestination(site, alice)
const { collection_id, channel_id } = await createDestination(site, alice)
const closed = await createDestination(site, alice, 'private')
await site.db`update collections set name = 'Private things' where id = ${closed.collection_id}`
await site.db`update collections set description = 'A <b> & "c"' where id = ${collection_id}`
const hostile = '=HYPERLINK("http://evil.example","Click") </A><script>alert(1)</script>, & ]]>'
await saveFilm(site, alice, 'plain', {
  video: { description: 'Two\nlines', tags: ['one', 'two words'], duration: 90 },
  bookmark: { channel_id: vault.channel_id, private_note: '+1 for me' },
})
await saveFilm(site, alice, 'hostile', {
  video: { title: hostile, description: `'${hostile}` },
  bookmark: { collection_id, channel_id, start_seconds: 75 },
})
await saveFilm(site, alice, 'outside', { bookmark: { collection_id } })
await saveFilm(site, alice, 'secret', { bookmark: { channel_id: closed.channel_id } })
const trashed = await saveFilm(site, alice, 'in the trash')
await site.db`update bookmarks set deleted_at = now() where id = ${trashed.id}`
await saveFilm(site, bob, 'of bob', { bookmark: { private_note: 'only of bob' } })

describe('a CSV file', () => {
  test('has a row for each bookmark of the library', async () => {
    const { text, headers, export: exported } = await exportFile(alice, { format: 'csv' })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(headers['content-disposition']).toMatch(/filename="reelmark-alice-\d{4}-\d\d-\d\d\.csv"/)
    expect(exported).toMatchObject({ format: 'csv', source_name: null, done: 4, total: 4 })
    const rows = readCsv(text)
    expect(rows.map(({ title }) => title)).toEqual(['Film plain', 'Film outside', hostile, 'Film secret'])
    expect(rows[0]).toEqual({
      title: 'Film plain',
      url: 'https://films.example.org/watch/plain',
      description: 'Two\nlines',
      tags: 'one, two words',
      collection: 'My Vault',
      channel: 'General',
      access: 'public',
      orientation: 'sfw',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      private_note: '+1 for me',
      start_seconds: '',
      duration: '90',
    })
    expect(rows[2]).toMatchObject({ description: `'${hostile}`, start_seconds: '75' })
    expect(rows[3]).toMatchObject({ collection: 'Private things', access: 'private' })
  })

  test('contains no formula, whatever the texts are, and every text can be restored', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.stringMatching(/^[=+\-@\t\r'＝＋"，,\n a1]{0,8}$/),
    )
    fc.assert(
      fc.property(anyText, anyText, fc.array(anyText, { maxLength: 3 }), (title, description, tags) => {
        const bookmark: ExportedBookmark = { ...sample, title, description, tags }
        const text = csv.begin() + csv.bookmark(bookmark) + csv.bookmark(sample)
        const [raw] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' }) as Record<
          string,
          string
        >[]
        for (const value of Object.values(raw ?? {})) expect(value).not.toMatch(/^[=+\-@\t\r＝＋－＠]/)
        const rows = readCsv(text)
        expect(rows).toHaveLength(2)
        expect(rows[0]).toMatchObject({ title, description, tags: tags.join(', ') })
      }),
    )
  })
})

const sample: ExportedBookmark = {
  title: 'A film',
  url: 'https://films.example.org/1',
  description: '',
  tags: [],
  collection: 'Films',
  channel: '',
  is_private: false,
  orientation: 'sfw',
  created_at: '2024-05-06T07:08:09.123456Z',
  private_note: '',
  start_seconds: null,
  duration: null,
}

describe('a Netscape bookmark file', () => {
  test('has a folder for each collection and channel', async () => {
    const { text, headers } = await exportFile(alice, { format: 'html' })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="reelmark-alice-[\d-]+\.html"$/)
    expect(text).toMatch(/^<!DOCTYPE NETSCAPE-Bookmark-file-1>\n/)
    const [folder] = readNetscape(text).folders
    const root = readNetscape(text)
    expect(root.folders.map(({ name }) => name)).toEqual(['My Vault', 'Another', 'Private things'])
    expect(folder?.folders.map(({ name, bookmarks }) => [name, bookmarks.length])).toEqual([['General', 1]])
    const another = root.folders[1]
    expect(another?.description).toBe('A <b> & "c"')
    expect(another?.bookmarks.map(({ title }) => title)).toEqual(['Film outside'])
    expect(another?.folders[0]?.bookmarks[0]).toMatchObject({ title: hostile, description: `'${hostile}` })
    const plain = folder?.folders[0]?.bookmarks[0]
    expect(plain).toMatchObject({
      title: 'Film plain',
      url: 'https://films.example.org/watch/plain',
      description: 'Two\nlines',
      attributes: { tags: 'one,two words', private: '0', add_date: expect.stringMatching(/^\d{10}$/) },
    })
    expect(root.folders[2]?.folders[0]?.bookmarks[0]?.attributes.private).toBe('1')
    expect(text).not.toContain('for me')
  })

  test('contains the texts unchanged, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.webUrl(), (title, url) => {
        const text =
          netscapeHtml.begin() +
          netscapeHtml.openFolder({ name: title, description: '', created_at: sample.created_at }) +
          netscapeHtml.bookmark({ ...sample, title, url }) +
          netscapeHtml.closeFolder() +
          netscapeHtml.end()
        const [folder] = readNetscape(text).folders
        expect([folder?.name, folder?.bookmarks.map((found) => [found.title, found.url])]).toEqual([
          title,
          [[title, url]],
        ])
      }),
    )
  })
})

describe('an export of a part of the library', () => {
  test('contains a collection with its channels', async () => {
    const {
      text,
      headers,
      export: exported,
    } = await exportFile(alice, { format: 'csv', collection: collection_id })
    expect(exported).toMatchObject({ source_name: 'Another', done: 2, total: 2 })
    expect(headers['content-disposition']).toContain(`reelmark-alice-collection-${collection_id}-`)
    expect(readCsv(text).map(({ title }) => title)).toEqual(['Film outside', hostile])
    const html = await exportFile(alice, { format: 'html', collection: closed.collection_id })
    expect(readNetscape(html.text).folders.map(({ name }) => name)).toEqual(['Private things'])
  })

  test('contains what a smart collection finds, and of other users only what everyone may see', async () => {
    const carol = await signUp(site, 'carol')
    for (let n = 0; n < 3; n++)
      await saveFilm(site, carol, `carol ${n}`, {
        video: { tags: ['smart'] },
        bookmark: { private_note: 'mine' },
      })
    await saveFilm(site, carol, 'carol private', {
      video: { tags: ['smart'] },
      bookmark: { access: 'private' },
    })
    const stored = await site.db<{ id: number }[]>`
      insert into smart_collections (user_id, name, access, query, is_personal)
      values (${carol.id}, 'Own', 'private', '{"scope": "own", "tag": "smart"}', false),
             (${carol.id}, 'All', 'private', '{"scope": "all", "q": "film"}', false) returning id`
    const [own, all] = stored.map(({ id }) => id)
    const { text, export: exported } = await exportFile(carol, { format: 'csv', smart_collection: own ?? 0 })
    expect(exported).toMatchObject({ source_name: 'Own', done: 4 })
    expect(readCsv(text).map(({ access, private_note }) => [access, private_note])).toEqual([
      ['private', ''],
      ['public', 'mine'],
      ['public', 'mine'],
      ['public', 'mine'],
    ])
    const everything = readCsv((await exportFile(carol, { format: 'csv', smart_collection: all ?? 0 })).text)
    const ofBob = everything.find(({ title }) => title === 'Film of bob')
    expect(ofBob).toMatchObject({ collection: '', channel: '', private_note: '', access: 'public' })
    expect(everything.map(({ title }) => title)).not.toContain('Film secret')
    const html = await exportFile(carol, { format: 'html', smart_collection: own ?? 0 })
    expect(readNetscape(html.text).folders.map(({ name, bookmarks }) => [name, bookmarks.length])).toEqual([
      ['Own', 4],
    ])
  })

  test('reads a smart collection of several pages once, up to a limit', async () => {
    const dora = await signUp(site, 'dora')
    const destination = await vaultDestination(site, dora)
    await site.db`
      with created as (
        insert into videos (canonical_url, source_url, host)
        select link, link, 'many.example.org' from (select 'https://many.example.org/' || n as link from generate_series(1, 250) n) links
        returning id)
      insert into bookmarks (user_id, video_id, collection_id, channel_id, title)
      select ${dora.id}, id, ${destination.collection_id}, ${destination.channel_id}, 'Many' from created`
    const [row] = await site.db<[{ id: number }]>`
      insert into smart_collections (user_id, name, access, query, is_personal)
      values (${dora.id}, 'Many', 'private', '{"scope": "own", "q": "many"}', false) returning id`
    const { text } = await exportFile(dora, { format: 'csv', smart_collection: row.id })
    const urls = readCsv(text).map(({ url }) => url)
    expect([urls.length, new Set(urls).size]).toEqual([250, 250])

    const pages: number[][] = []
    for await (const { total, bookmarks } of readSmartBookmarks(site.db, createViewer(dora), row.id, 150))
      pages.push([total, bookmarks.length])
    expect(pages).toEqual([
      [150, 100],
      [150, 50],
    ])
  })

  test('holds the descriptions of one collection in memory', { tags: ['heavy'] }, async () => {
    const erin = await signUp(site, 'erin')
    await site.db`
      with created as (
        insert into collections (user_id, name, access) select ${erin.id}, 'Long', 'private' from generate_series(1, 50) returning id)
      insert into channels (collection_id, name, description)
      select id, 'Long', repeat('x', 5000) from created, generate_series(1, 200)`
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const measureMegabytes = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed / 1024 / 1024
    }
    const before = measureMegabytes()
    let read = 0
    for await (const { channels } of readFolders(site.db, erin.id, null)) {
      if (channels.length !== 200) continue
      read += 1
      if (read % 10 === 0) expect(measureMegabytes() - before).toBeLessThan(20)
    }
    expect(read).toBe(50)
  })

  test('is refused for content of others, as if it did not exist, and for JSON', async () => {
    const start = (query: ExportSource, user: TestUser) =>
      failedReply(site.call(startExport, { query }, user))
    const missing = await start({ format: 'csv', collection: 999_999 }, bob)
    expect(missing.status).toBe(404)
    expect(await start({ format: 'csv', collection: collection_id }, bob)).toEqual(missing)
    expect(await start({ format: 'html', smart_collection: 999_999 }, bob)).toEqual(missing)
    expect((await start({ collection: collection_id }, alice)).status).toBe(400)
    expect(
      (await start({ format: 'csv', collection: collection_id, smart_collection: 1 }, alice)).status,
    ).toBe(400)
  })

  test('is deleted with its collection', async () => {
    const extra = await createDestination(site, alice)
    const { export: exported } = await exportFile(alice, { format: 'csv', collection: extra.collection_id })
    await site.db`delete from collections where id = ${extra.collection_id}`
    const read = site.call(downloadExport, { params: { id: exported.id } }, alice)
    expect((await failedReply(read)).status).toBe(404)
  })
})
