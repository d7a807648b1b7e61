/** The summary of an uploaded file, its options and columns, and who may start it when. */
import {
  discardImport,
  getImport,
  listImports,
  startImport,
  updateImport,
} from '@reelmark/contract/imports.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'
import { createZip } from './formats/zip.fixture.ts'
import {
  emptyFile,
  exportAccount,
  failingDatabase,
  importFile,
  readReport,
  sampleBookmark,
  startAndFinish,
} from './full-account.fixture.ts'
import { removeOldImports } from './import-queries.ts'
import { transferQueues } from './jobs.ts'
import { sendFile, uploadFile } from './upload-file.fixture.ts'

const { site } = await useSite({ work: true })
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice-review${userCount}`)
  bob = await signUp(site, `bob-review${userCount}`)
})

const send = (content: string | Buffer) => sendFile(site, alice, content)
const upload = (content: string | Buffer, user = alice) => uploadFile(site, user, content)
const byId = (id: number) => ({ params: { id } })
const savedUrls = async (user = alice) =>
  (await exportAccount(site, user)).bookmarks.map(({ video }) => video.source_url).sort()

const page = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
  <DT><H3>Films</H3><DL><p>
    <DT><A HREF="https://vimeo.com/101" ADD_DATE="1700000000" PRIVATE="0" TAGS="a,b">One</A>
    <DD>Text[linkding-notes]Remember[/linkding-notes]
    <DT><H3>Short</H3><DL><p><DT><A HREF="https://vimeo.com/102" PRIVATE="0">Two</A></DL><p>
  </DL><p>
  <DT><H3>Mixed</H3><DL><p>
    <DT><A HREF="https://www.youtube.com/watch?v=eRsGyueVLvQ" PRIVATE="1">Three</A>
    <DT><A HREF="https://pages.example.org/4" TAGS="a">Four</A>
  </DL><p>
  <DT><H3>Unmarked</H3><DL><p><DT><A HREF="https://vimeo.com/105">Five</A></DL><p>
  <DT><A HREF="javascript:alert(1)">Script</A>
</DL>`

describe('an uploaded file', () => {
  test('is summed up, and nothing of it is imported until it is started', async () => {
    await importFile(site, alice, { ...emptyFile, bookmarks: [sampleBookmark('https://vimeo.com/101')] })
    const before = await exportAccount(site, alice)
    const review = await upload(page)
    expect(review).toMatchObject({
      state: 'review',
      format: 'Bookmarks',
      is_own_format: false,
      columns: null,
      done: 0,
      can_undo: false,
      finished_at: null,
      summary: {
        rows: 6,
        videos: 4,
        plain_links: 1,
        in_vault: 1,
        likes: 0,
        with_date: 1,
        with_note: 1,
        with_tags: 2,
        private: 1,
        access_unknown: 2,
        history: 0,
        subscriptions: 0,
        others: 0,
        tags: 2,
        collections_count: 3,
        channels: 1,
        rejected: 1,
        rejected_reasons: [{ reason: "Its link isn't the address of a web page.", count: 1 }],
        rejected_sample: [
          { file: null, row: 6, what: 'Script', reason: "Its link isn't the address of a web page." },
        ],
      },
    })
    expect(review.summary?.collections).toEqual([
      { name: 'Films', access: 'public', videos: 2, plain_links: 0, channels: 1 },
      { name: 'Mixed', access: 'private', videos: 1, plain_links: 1, channels: 0 },
      { name: 'Unmarked', access: null, videos: 1, plain_links: 0, channels: 0 },
    ])
    expect(review.summary?.sample[0]).toMatchObject({
      title: 'One',
      is_video: true,
      folders: ['Films'],
      tags: ['a', 'b'],
      is_private: false,
    })
    expect(review.expires_at).not.toBeNull()
    expect(await exportAccount(site, alice)).toMatchObject({ bookmarks: before.bookmarks })
    expect(await readReport(site, alice, review.id)).toEqual([])
  })

  test('of Reelmark is summed up in the same way', async () => {
    const bookmarks = ['https://vimeo.com/201', 'https://pages.example.org/202'].map((link) =>
      sampleBookmark(link, { tags: ['x'], access: 'private' }),
    )
    const file = { ...emptyFile, bookmarks, likes: [] }
    const review = await upload(JSON.stringify(file))
    expect(review).toMatchObject({ state: 'review', format: 'Reelmark', is_own_format: true, total: 4 })
    expect(review.summary).toMatchObject({
      rows: 3,
      videos: 2,
      others: 1,
      private: 2,
      tags: 1,
      in_vault: 0,
      collections: [{ name: 'My Vault', access: 'public', videos: 2, channels: 1 }],
    })
    expect(await startAndFinish(site, alice, review.id)).toMatchObject({ state: 'done', added: 2 })
  })

  test('counts links of audio and photos as other links', async () => {
    const links = [
      'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
      'https://soundcloud.com/blender/a-song',
    ]
    const review = await upload(
      [...links, 'https://www.flickr.com/photos/blender/51234567890/', 'https://vimeo.com/1'].join('\n'),
    )
    expect(review.summary).toMatchObject({ videos: 1, plain_links: 3 })
  })

  test('with history and subscriptions counts them, and files of an archive that cannot be read', async () => {
    const csv =
      'Channel Id,Channel Url,Channel Title\nUCBR8-60-B28hp2BmDPdntcQ,http://www.youtube.com/channel/UCBR8-60-B28hp2BmDPdntcQ,Blender\n'
    const review = await upload(
      createZip([
        { name: `Takeout\0/${'x'.repeat(5000)}/subscriptions.csv`, content: csv },
        { name: 'Takeout/picture.bin', content: 'x' },
      ]),
    )
    expect(review).toMatchObject({ ignored_files: 1, summary: { rows: 1, subscriptions: 1, videos: 0 } })
    const result = await startAndFinish(site, alice, review.id)
    expect(result).toMatchObject({ state: 'done', outcomes: { skipped: 1 }, can_undo: false })
    expect(await readReport(site, alice, review.id)).toMatchObject([
      {
        kind: 'subscription',
        outcome: 'skipped',
        file: `Takeout/${'x'.repeat(192)}`,
        row: 1,
        reason: "Subscriptions aren't imported.",
      },
    ])
  })
})

describe('the options of an import', () => {
  test('by default skip plain links, use folders, and make private what the file does not mark', async () => {
    const { id } = await upload(page)
    const result = await startAndFinish(site, alice, id)
    expect(result).toMatchObject({ state: 'done', added: 4, failed: 1, outcomes: { skipped: 1 } })
    expect(await savedUrls()).not.toContain('https://pages.example.org/4')
    const { collections } = await exportAccount(site, alice)
    expect(collections.slice(1).map(({ name, access }) => [name, access])).toEqual([
      ['Films', 'public'],
      ['Mixed', 'private'],
      ['Unmarked', 'private'],
    ])
    const skipped = await readReport(site, alice, id, 'skipped')
    expect(skipped).toMatchObject([
      { url: 'https://pages.example.org/4', row: 4, reason: "It isn't a link to a known video site." },
    ])
  })

  test('can include plain links, ignore folders, and publish what the file does not mark', async () => {
    const { id } = await upload(page)
    const result = await startAndFinish(site, alice, id, {
      plain_links: true,
      folders: false,
      access: 'public',
    })
    expect(result).toMatchObject({ state: 'done', added: 5 })
    const { collections, bookmarks } = await exportAccount(site, alice)
    expect(collections.slice(1)).toMatchObject([
      { name: 'Imported (Bookmarks)', access: 'private', channels: [] },
    ])
    expect(bookmarks.map(({ title, access }) => `${title} ${access}`).sort()).toEqual([
      'Five public',
      'Four public',
      'One public',
      'Three private',
      'Two public',
    ])
  })

  test('are validated', async () => {
    const { id } = await upload(page)
    const body = { access: 'secret' } as never
    expect(await failedReply(site.call(startImport, { ...byId(id), body }, alice))).toMatchObject({
      status: 400,
      body: { access: expect.any(Array) },
    })
    expect(await site.call(getImport, byId(id), alice)).toMatchObject({ state: 'review' })
  })
})

describe('the columns of a CSV file', () => {
  const csv = 'address,heading,Where,Secret\nhttps://vimeo.com/301,A,F/x,1\nhttps://vimeo.com/302,B,F,0\n'

  test('are shown, and the summary is computed again after they are changed', async () => {
    const review = await upload(csv)
    expect(review.columns).toEqual({
      headers: ['address', 'heading', 'Where', 'Secret'],
      sample: [
        ['https://vimeo.com/301', 'A', 'F/x', '1'],
        ['https://vimeo.com/302', 'B', 'F', '0'],
      ],
      mapping: { url: 0 },
    })
    expect(review.summary?.sample[0]).toMatchObject({ title: '', folders: [] })
    const mapping = { url: 0, title: 1, folder: 2, is_private: 3 }
    const changed = await site.call(updateImport, { ...byId(review.id), body: { mapping } }, alice)
    expect(changed).toMatchObject({ state: 'review', columns: { mapping } })
    expect(changed.summary).toMatchObject({
      private: 1,
      access_unknown: 0,
      collections: [{ name: 'F', access: 'private', videos: 2, channels: 1 }],
      sample: [{ title: 'A', folders: ['F', 'x'] }, { title: 'B' }],
    })
    await startAndFinish(site, alice, review.id)
    const { bookmarks } = await exportAccount(site, alice)
    expect(bookmarks.map(({ title, access }) => `${title} ${access}`).sort()).toEqual([
      'A private',
      'B public',
    ])
  })

  test('must exist and name the link; a wrong choice changes nothing', async () => {
    const { id } = await upload(csv)
    const change = (mapping: object, user = alice) =>
      failedReply(site.call(updateImport, { ...byId(id), body: { mapping } }, user))
    expect(await change({ title: 0 })).toMatchObject({
      status: 400,
      body: { mapping: { url: ['This field is required.'] } },
    })
    expect(await change({ url: 4 })).toMatchObject({
      status: 400,
      body: { mapping: { url: ['The file has no such column.'] } },
    })
    for (const url of [-1, 200, 1.5, 'a']) expect(await change({ url })).toMatchObject({ status: 400 })
    expect(await change({ url: 0 }, bob)).toMatchObject({ status: 404 })
    expect(await site.call(getImport, byId(id), alice)).toMatchObject({ columns: { mapping: { url: 0 } } })
    // Every row is rejected then, which the user sees.
    const texts = await site.call(updateImport, { ...byId(id), body: { mapping: { url: 1 } } }, alice)
    expect(texts.summary).toMatchObject({ rows: 2, videos: 0, rejected: 2 })
  })

  test('of other files cannot be chosen', async () => {
    const { id } = await upload(page)
    const body = { mapping: { url: 0 } }
    expect(await failedReply(site.call(updateImport, { ...byId(id), body }, alice))).toMatchObject({
      status: 400,
      body: { mapping: ['Only the columns of CSV files can be chosen.'] },
    })
  })
})

function importQueue(db: typeof site.db) {
  const found = transferQueues({ ...site.app.deps, db }).find(({ name }) => name === 'run-import')
  if (found === undefined) throw new Error('no queue')
  return found
}

test('an import fails at once if its user was banned before its file is read', async () => {
  const { id } = await upload(page)
  await site.db`update users set banned_at = now() where id = ${alice.id}`
  await site.db`update imports set state = 'waiting', options = '{}' where id = ${id}`
  await importQueue(site.db).work({ import_id: id })
  expect(await site.db`select state from imports where id = ${id}`).toEqual([{ state: 'failed' }])
  expect(await site.db`select from import_files where import_id = ${id}`).toHaveLength(0)
})

test('an import whose process dies while it reads the file begins again, without losses or duplicates', async () => {
  const rows = Array.from({ length: 350 }, (_, n) => `https://vimeo.com/${5000 + n},Film ${n}`)
  const { id } = await upload(['url,title', ...rows, 'no link,X'].join('\n'))
  // The claim of a dead process, so that the site's own job does not begin.
  const die = () => site.db`
    update imports set state = 'running', attempts = attempts + 1, heartbeat_at = now() - interval '2 minutes',
                       options = '{}' where id = ${id}`
  await die()
  await importQueue(failingDatabase(site.db, { statements: 7 })).work({ import_id: id })
  const parts = await site.db`select from import_parts where import_id = ${id}`
  expect(parts.length).toBeGreaterThan(0)
  expect(await site.db`select from import_files where import_id = ${id}`).toHaveLength(1)
  await die()
  await importQueue(site.db).work({ import_id: id })
  expect(await site.call(getImport, byId(id), alice)).toMatchObject({
    state: 'done',
    // The bookmarks and their collection.
    outcomes: { new: 351, rejected: 1, known: 0, skipped: 0 },
    done: 351,
    total: 351,
  })
  expect(new Set((await readReport(site, alice, id)).map(({ kind, row }) => `${kind} ${row}`)).size).toBe(352)
  expect(await savedUrls()).toHaveLength(350)
})

describe('a review', () => {
  test('is its owner’s only', async () => {
    const { id } = await upload(page)
    expect(await failedReply(site.call(getImport, byId(id), bob))).toMatchObject({ status: 404 })
    expect(await failedReply(site.call(startImport, { ...byId(id), body: {} }, bob))).toMatchObject({
      status: 404,
    })
    expect(await failedReply(site.call(discardImport, byId(id), bob))).toMatchObject({ status: 404 })
    expect(await site.call(listImports, { query: {} }, bob)).toMatchObject({ count: 0 })
    expect(await site.call(getImport, byId(id), alice)).toMatchObject({ state: 'review' })
  })

  test('prevents another upload until it is discarded, and starts only once', async () => {
    const { id } = await upload(page)
    expect((await send(page)).statusCode).toBe(409)
    await site.call(discardImport, byId(id), alice)
    expect(await failedReply(site.call(getImport, byId(id), alice))).toMatchObject({ status: 404 })
    expect(await site.db`select from import_files where import_id = ${id}`).toHaveLength(0)

    const again = await upload(page)
    const starts = await Promise.allSettled(
      [1, 2, 3].map(() => site.call(startImport, { ...byId(again.id), body: {} }, alice)),
    )
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const late = { status: 409, body: { code: 'not-in-review' } }
    expect(await failedReply(site.call(startImport, { ...byId(again.id), body: {} }, alice))).toMatchObject(
      late,
    )
    expect(await failedReply(site.call(discardImport, byId(again.id), alice))).toMatchObject(late)
    const body = { mapping: { url: 0 } }
    expect(await failedReply(site.call(updateImport, { ...byId(again.id), body }, alice))).toMatchObject(late)
    await expect.poll(async () => (await site.call(getImport, byId(again.id), alice)).state).toBe('done')
    expect(await site.db`select from import_files where import_id = ${again.id}`).toHaveLength(0)
  })

  test('of two uploads at the same time exists once', async () => {
    const statuses = await Promise.all([1, 2, 3].map(async () => (await send(page)).statusCode))
    expect(statuses.sort()).toEqual([201, 409, 409])
    expect(await site.db`select from imports where user_id = ${alice.id}`).toHaveLength(1)
  })

  test('is deleted after three days with its file, and an upload that was not completed after an hour', async () => {
    const { id } = await upload(page)
    const other = await upload(page, bob)
    await site.db`update imports set created_at = created_at - interval '3 days 1 minute' where id = ${id}`
    await site.db`insert into imports (user_id, heartbeat_at) values (${bob.id}, now() - interval '61 minutes')`
    await removeOldImports(site.db)
    expect(await failedReply(site.call(getImport, byId(id), alice))).toMatchObject({ status: 404 })
    expect(await site.db`select from import_files where import_id = ${id}`).toHaveLength(0)
    expect(await site.db`select id from imports where user_id = ${bob.id}`).toEqual([{ id: other.id }])
  })
})
