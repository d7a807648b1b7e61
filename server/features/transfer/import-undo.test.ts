/** The report of an import, and the undo of what it created. */
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { createCollection, updateCollection } from '@reelmark/contract/collections.ts'
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import {
  downloadImportReport,
  getImport,
  listImportRows,
  undoImport,
  uploadImport,
} from '@reelmark/contract/imports.ts'
import { endpointUrl } from '@reelmark/contract/protocol/call.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'
import {
  counterMismatches,
  createBlockedUser,
  emptyFile,
  exportAccount,
  failingDatabase,
  fillAccount,
  importFile,
  readReport,
  sampleBookmark,
  sampleTime,
  waitUntilFinished,
} from './full-account.fixture.ts'
import { transferQueues } from './jobs.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(async () => {
  expect(await counterMismatches(site)).toEqual([])
  await site.close()
})
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice-undo${userCount}`)
  bob = await signUp(site, `bob-undo${userCount}`)
})

const byId = (id: number) => ({ params: { id } })
const link = (n: number | string) => `https://undo.example.org/${userCount}/${n}`
const findQueue = (name: string, deps = site.app.deps) => {
  const found = transferQueues(deps).find((queue) => queue.name === name)
  if (found === undefined) throw new Error(`no queue ${name}`)
  return found
}

async function undo(id: number, user = alice) {
  await site.call(undoImport, byId(id), user)
  return waitUntilFinished(() => site.call(getImport, byId(id), user))
}

const liveUrls = async (user = alice) =>
  (await exportAccount(site, user)).bookmarks.map(({ video }) => video.source_url).sort()

const collection = (name: string, channels: string[] = []): TransferFile['collections'][number] => ({
  name,
  description: '',
  access: 'private',
  created_at: sampleTime,
  channels: channels.map((channel) => ({ name: channel, description: '' })),
})

describe('an undo', () => {
  test('restores an account as it was, and moves bookmarks to the trash', async () => {
    const source = await signUp(site, `source-undo${userCount}`)
    await fillAccount(site, source, bob)
    const file = await exportAccount(site, source)
    await saveFilm(site, alice, `mine ${userCount}`)
    const before = await exportAccount(site, alice)
    const result = await importFile(site, alice, file)
    expect(result).toMatchObject({ state: 'done', added: 21, failed: 0, can_undo: true })

    const undone = await undo(result.id)
    expect(undone).toMatchObject({
      state: 'undone',
      outcomes: { new: 0, changed: 0, held: 0 },
      can_undo: false,
    })
    expect(undone.done).toBe(undone.total)
    const lists = ({
      collections,
      bookmarks,
      likes,
      following,
      watched,
      blocked,
      timed_notes,
    }: TransferFile) => ({ collections, bookmarks, likes, following, watched, blocked, timed_notes })
    const after = await exportAccount(site, alice)
    expect(lists(after)).toEqual(lists(before))
    expect(after).toMatchObject({
      playback_positions: [],
      followed_collections: [],
      followed_tags: [],
      muted_users: [],
      muted_tags: [],
    })
    const [trashed] = await site.db`
      select count(*) from bookmarks where user_id = ${alice.id} and deleted_at is not null`
    expect(trashed?.count).toBe(7)
    expect(
      await site.db`select from smart_collections where user_id = ${alice.id} and deleted_at is null`,
    ).toEqual([])
    expect(await readReport(site, alice, result.id, 'retained')).toMatchObject([
      { kind: 'profile', reason: 'Settings stay as they are.' },
    ])
    expect(await counterMismatches(site)).toEqual([])
  })

  test('retains what was changed, and never touches what existed before', async () => {
    const vault = await vaultDestination(site, alice)
    await site.call(createCollection, { body: { name: 'Old', access: 'private' } }, alice)
    const own = await importFile(site, alice, {
      ...emptyFile,
      bookmarks: [sampleBookmark(link('own'), { channel: null })],
    })
    expect(own).toMatchObject({ added: 1 })
    const film = await saveFilm(site, bob, `liked ${userCount}`)
    const file: TransferFile = {
      ...emptyFile,
      collections: [
        ...emptyFile.collections,
        collection('Old'),
        collection('New', ['Inner']),
        collection('Renamed'),
        collection('Linked'),
      ],
      bookmarks: [
        sampleBookmark(link('own'), { channel: null }),
        sampleBookmark(link('unchanged'), { collection: 1, channel: null }),
        sampleBookmark(link('edited'), { collection: 2, channel: 0 }),
        sampleBookmark(link('trashed'), { collection: 2, channel: null }),
      ],
      likes: [{ source_url: film.video.source_url, created_at: sampleTime }],
      following: [{ username: bob.username, followed_at: sampleTime }],
    }
    const { id } = await importFile(site, alice, file)
    const rows = await readReport(site, alice, id)
    const idOf = (n: string) => rows.find(({ url }) => url === link(n))?.bookmark_id ?? 0
    expect(rows.find(({ url }) => url === link('own'))).toMatchObject({ outcome: 'known', bookmark_id: null })
    await site.call(updateBookmark, { ...byId(idOf('edited')), body: { private_note: 'Mine' } }, alice)
    await site.db`update bookmarks set deleted_at = now() where id = ${idOf('trashed')}`
    const [renamed] =
      await site.db`select id from collections where user_id = ${alice.id} and name = 'Renamed'`
    await site.call(updateCollection, { ...byId(renamed?.id), body: { name: 'Now mine' } }, alice)
    await site.db`
      insert into collection_links (collection_id, hash, secret, shows_private)
      select id, sha256(${`${alice.id}`}::bytea), 'x', false from collections
       where user_id = ${alice.id} and name = 'Linked'`
    // The like was withdrawn and given again.
    await site.db`update likes set created_at = now() where user_id = ${alice.id}`

    const undone = await undo(id)
    expect(undone).toMatchObject({ state: 'undone', outcomes: { known: 5 } })
    const retained = await readReport(site, alice, id, 'retained')
    expect(retained.map(({ kind, what, reason }) => `${kind} ${what}: ${reason}`).sort()).toEqual([
      `bookmark A film: You changed it after the import.`,
      'channel New / Inner: It has bookmarks.',
      'collection Linked: You changed it after the import.',
      'collection New: It has channels.',
      'collection Renamed: You changed it after the import.',
      `like ${film.video.source_url}: You changed it after the import.`,
    ])
    expect(await liveUrls()).toEqual([link('edited'), link('own')])
    const names = await site.db`select name from collections where user_id = ${alice.id} order by name`
    expect(names.map(({ name }) => name)).toEqual(['Linked', 'My Vault', 'New', 'Now mine', 'Old'])
    expect(await vaultDestination(site, alice)).toMatchObject({ collection_id: vault.collection_id })
    expect(await site.db`select from follows where follower_id = ${alice.id}`).toHaveLength(0)
    expect(await site.db`select from likes where user_id = ${alice.id}`).toHaveLength(1)
    expect(await counterMismatches(site)).toEqual([])
    expect(await failedReply(site.call(undoImport, byId(id), alice))).toMatchObject({
      status: 409,
      body: { code: 'not-undoable' },
    })
  })

  test('leaves nothing private to others: another user cannot see, undo or read the report', async () => {
    const { id } = await importFile(site, alice, { ...emptyFile, bookmarks: [sampleBookmark(link(1))] })
    for (const endpoint of [undoImport, getImport]) {
      expect(await failedReply(site.call(endpoint, byId(id), bob))).toMatchObject({ status: 404 })
    }
    const rows = () => site.call(listImportRows, { ...byId(id), query: {} }, bob)
    expect(await failedReply(rows())).toMatchObject({ status: 404 })
    const report = await download(id, bob)
    expect(report.statusCode).toBe(404)
    expect(await liveUrls()).toEqual([link(1)])
  })

  test('is refused while an import is open, before it started, and twice at the same time', async () => {
    const { id } = await importFile(site, alice, { ...emptyFile, bookmarks: [sampleBookmark(link(1))] })
    const review = await site.call(uploadImport, { body: emptyFile }, alice)
    expect(await failedReply(site.call(undoImport, byId(id), alice))).toMatchObject({
      status: 409,
      body: { code: 'already-running' },
    })
    expect(await failedReply(site.call(undoImport, byId(review.id), alice))).toMatchObject({ status: 409 })
    await site.db`delete from imports where id = ${review.id}`
    const attempts = await Promise.allSettled([1, 2, 3].map(() => site.call(undoImport, byId(id), alice)))
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const result = await waitUntilFinished(() => site.call(getImport, byId(id), alice))
    expect(result).toMatchObject({ state: 'undone' })
  })

  test('continues after its process died, without counting anything twice', async () => {
    const bookmarks = Array.from({ length: 650 }, (_, n) => sampleBookmark(link(n)))
    const { id } = await importFile(site, alice, { ...emptyFile, bookmarks })
    // A running process that is considered dead has the claim first, so that the site's own job does nothing.
    await site.db`
      update imports set state = 'undoing', finished_at = null, attempts = 1, done = 0, total = 650,
                         heartbeat_at = now() - interval '2 minutes' where id = ${id}`
    const failing = failingDatabase(site.db, { transactions: 3 })
    await findQueue('run-import', { ...site.app.deps, db: failing }).work({ import_id: id })
    const half = await site.call(getImport, byId(id), alice)
    expect(half.state).toBe('undoing')
    expect(half.done).toBeGreaterThan(0)
    expect(half.done).toBeLessThan(650)
    expect(half.outcomes).toMatchObject({ undone: half.done, new: 650 - half.done })
    // The claim is not lost yet: another process must not begin.
    await findQueue('run-import').work({ import_id: id })
    expect((await site.call(getImport, byId(id), alice)).done).toBe(half.done)
    await site.db`update imports set heartbeat_at = now() - interval '2 minutes' where id = ${id}`
    await Promise.all([1, 2].map(() => findQueue('resume-transfers').work({})))
    const result = await waitUntilFinished(() => site.call(getImport, byId(id), alice))
    expect(result).toMatchObject({ state: 'undone', done: 650, outcomes: { new: 0, undone: 650 } })
    expect(await liveUrls()).toEqual([])
    expect(
      await site.db`select from bookmarks where user_id = ${alice.id} and deleted_at is null`,
    ).toHaveLength(0)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('stops if the user is banned, and account removal deletes reports', async () => {
    const { id } = await importFile(site, alice, { ...emptyFile, bookmarks: [sampleBookmark(link(1))] })
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    await site.db`
      update imports set state = 'undoing', finished_at = null, attempts = 0, heartbeat_at = now() where id = ${id}`
    await findQueue('run-import').work({ import_id: id })
    const rows = await site.db`select state from imports where id = ${id}`
    expect(rows).toEqual([{ state: 'failed' }])
    expect(
      await site.db`select from bookmarks where user_id = ${alice.id} and deleted_at is null`,
    ).toHaveLength(1)
    await site.db`delete from imports where user_id = ${alice.id}`
    expect(await site.db`select from import_reports where import_id = ${id}`).toHaveLength(0)
  })
})

function download(id: number, user: TestUser, query: Record<string, string> = {}) {
  return site.app.inject({
    url: endpointUrl(downloadImportReport, { id }, query),
    headers: { authorization: `Bearer ${user.access}` },
  })
}

describe('the report', () => {
  test('lists every item with its outcome, in pages and by outcome', async () => {
    await createBlockedUser(site, alice)
    const bookmarks = Array.from({ length: 230 }, (_, n) =>
      sampleBookmark(n % 7 === 0 ? link('same') : link(n), n === 5 ? { collection: 9 } : {}),
    )
    const { id, outcomes } = await importFile(site, alice, { ...emptyFile, bookmarks })
    expect(outcomes).toMatchObject({ new: 230 - 33 - 1 + 1, known: 33 - 1 + 3, rejected: 1 })
    const rejected = await readReport(site, alice, id, 'rejected')
    expect(rejected).toMatchObject([
      {
        row: 6,
        kind: 'bookmark',
        url: link(5),
        reason: "Its channel is missing from the file or couldn't be imported.",
        bookmark_id: null,
      },
    ])
    const query = { page_size: 50, outcome: 'new' as const }
    const first = await site.call(listImportRows, { ...byId(id), query }, alice)
    expect(first).toMatchObject({ count: 197, previous: null })
    expect(first.results).toHaveLength(50)
    const second = await site.app.inject({
      url: first.next ?? '',
      headers: { authorization: `Bearer ${alice.access}` },
    })
    const back = await site.app.inject({
      url: second.json().previous,
      headers: { authorization: `Bearer ${alice.access}` },
    })
    expect(back.json().results).toEqual(first.results)
    for (const cursor of ['a0_0.5_1', 'a0_3000000000_1', 'b0_9007199254740991_1']) {
      const url = endpointUrl(listImportRows, { id }, { cursor })
      const reply = await site.app.inject({ url, headers: { authorization: `Bearer ${alice.access}` } })
      expect(reply.statusCode, cursor).toBe(200)
    }
    const ids = (await readReport(site, alice, id)).map((row) => row.id)
    expect(ids).toEqual(Array.from({ length: 233 }, (_, n) => n + 1))
  })

  test('is a CSV file whose cells are no formulas', async () => {
    const titles = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", '＝1', 'a "quoted", text']
    const bookmarks = titles.map((title, n) => sampleBookmark(link(n), { title }))
    const { id } = await importFile(site, alice, { ...emptyFile, bookmarks })
    const reply = await download(id, alice)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="reelmark-import-${id}.csv"`,
      'cache-control': 'no-store',
    })
    const lines = reply.body.split('\r\n')
    expect(lines[0]).toBe('\ufeff"file","row","kind","item","link","outcome","reason"')
    expect(lines).toHaveLength(1 + 3 + titles.length + 1)
    for (const cell of lines.flatMap((line) => line.replace(/^\ufeff/, '').split(','))) {
      expect(cell).not.toMatch(/^"?[=+\-@\t＝]/)
    }
    expect(reply.body).toContain('"\'=1+1"')
    expect(reply.body).toContain('"a ""quoted"", text"')
    const known = await download(id, alice, { outcome: 'rejected' })
    expect(known.body.split('\r\n')).toHaveLength(2)
    expect((await download(id, alice, { outcome: 'other' })).statusCode).toBe(400)
  })

  test('says which names were replaced, and which notes became private', async () => {
    const moderator = await signUpModerator(site, `moderator-undo${userCount}`)
    const rule = { kind: 'word', pattern: 'forbiddenname', effect: 'refuse' } as const
    const { id: ruleId } = await site.call(createContentRule, { body: rule }, moderator)
    const { id } = await importFile(site, alice, {
      ...emptyFile,
      collections: [...emptyFile.collections, collection('forbiddenname', ['Fine'])],
      bookmarks: [sampleBookmark(link(1), { channel: null })],
      timed_notes: ['forbiddenname', 'Fine'].map((text) => ({
        source_url: link(1),
        seconds: 1,
        text,
        access: 'public' as const,
        created_at: sampleTime,
      })),
    })
    await site.call(deleteContentRule, byId(ruleId), moderator)
    const changed = await readReport(site, alice, id, 'changed')
    expect(changed).toMatchObject([
      { kind: 'collection', reason: expect.stringContaining('Its name was replaced') },
      { kind: 'timed_note', reason: expect.stringContaining("It's private") },
    ])
    expect(await undo(id)).toMatchObject({ state: 'undone', outcomes: { undone: 5, retained: 0 } })
  })
})

test('a collection that an import made private is public again after the undo, and publishes nothing', async () => {
  const file: TransferFile = {
    ...emptyFile,
    collections: [
      { ...collection('My Vault', ['General']), description: 'From the file', list_order: 'title' },
    ],
    bookmarks: [sampleBookmark(link('vault'))],
  }
  const before = await exportAccount(site, alice)
  const { id } = await importFile(site, alice, file)
  const [imported] = (await exportAccount(site, alice)).collections
  expect(imported).toMatchObject({ access: 'private', description: 'From the file', list_order: 'title' })
  await undo(id)
  const after = await exportAccount(site, alice)
  expect(after.collections).toEqual(before.collections)
  expect(after.trash).toMatchObject([{ access: 'private' }])
})

test('a collection that the user changed after the import, or saved something in, keeps its access', async () => {
  const file = {
    ...emptyFile,
    collections: [collection('My Vault', ['General'])],
    bookmarks: [sampleBookmark(link('vault'))],
  }
  const { id } = await importFile(site, alice, file)
  const vault = await vaultDestination(site, alice)
  await saveFilm(site, alice, `later ${userCount}`, { bookmark: { channel_id: vault.channel_id } })
  await undo(id)
  expect((await exportAccount(site, alice)).collections).toMatchObject([{ access: 'private' }])
})
