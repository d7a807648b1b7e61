/** Pictures in our own zip files: used for new bookmarks of videos that have none, and never for anything of other users. */
import { randomFillSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getImport, startImport, undoImport } from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { processPicture } from '../../core/media/process.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { createTestPicture } from '../../testing/test-pictures.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import { readExportZip, requestExport } from './export-zip.fixture.ts'
import { createZip, type ZipEntry } from './formats/zip.fixture.ts'
import {
  emptyFile,
  readReport,
  sampleBookmark,
  startAndFinish,
  waitUntilFinished,
} from './full-account.fixture.ts'
import { claimImport } from './import-queries.ts'
import { openReview } from './review-queries.ts'
import { runImport } from './run-import.ts'
import { uploadFile } from './upload-file.fixture.ts'
import { uploadAnyFile } from './upload-foreign.ts'

const site = await useEmptySite({ work: true })
const { db } = site
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

const [red, green] = [await createTestPicture(1), await createTestPicture(2)]
const hashOf = async (picture: Buffer) => (await processPicture(picture)).hash
const link = (n: number | string) => `https://films.example.org/pictures/${userCount}/${n}`

/** Returns an export with a bookmark per picture. */
function createExport(pictures: readonly (Buffer | string | null)[]): Buffer {
  const bookmarks = pictures.map((picture, n) => ({
    ...sampleBookmark(link(n)),
    picture: picture === null ? null : `pictures/${n}.webp`,
  }))
  const file: TransferFile = { ...emptyFile, bookmarks }
  const entries = pictures.flatMap((content, n): ZipEntry[] =>
    content === null ? [] : [{ name: `pictures/${n}.webp`, content, method: 0 }],
  )
  return createZip([{ name: 'reelmark-x.json', content: JSON.stringify(file) }, ...entries])
}

/** Returns the bookmarks in a zip file, with whether each has a picture instead of its name, which contains the id. */
async function readBookmarks(content: Buffer) {
  const { bookmarks } = (await readExportZip(content)).file
  return bookmarks.map(({ picture, ...rest }) => ({ ...rest, hasPicture: picture !== null }))
}

/** Returns the hashes of the pictures of a user's bookmarks, by the last part of the link. */
async function picturesOf(user: TestUser): Promise<Record<string, string | null>> {
  const rows = await db<{ name: string; hash: string | null }[]>`
    select regexp_replace(v.source_url, '.*/', '') as name, b.thumbnail_hash::text as hash
      from bookmarks b join videos v on v.id = b.video_id
     where b.user_id = ${user.id} and b.deleted_at is null order by b.id`
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

test('a picture becomes that of the new bookmark, re-encoded, and is in the next export', async () => {
  const review = await uploadFile(site, alice, createExport([red, green, null]))
  expect(review).toMatchObject({ ignored_files: 0, total: 7, summary: { videos: 3, pictures: 2 } })
  const result = await startAndFinish(site, alice, review.id)
  expect(result).toMatchObject({ state: 'done', done: 7, added: 3 })
  expect(await picturesOf(alice)).toEqual({ 0: await hashOf(red), 1: await hashOf(green), 2: null })
  const [stored] = await db<{ key: string }[]>`
    select thumbnail_large_key as key from bookmarks where user_id = ${alice.id} and thumbnail_key is not null`
  const reply = await site.app.inject({ url: `/media/${stored?.key}` })
  expect(await sharp(reply.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 1280, height: 720 })
  // The round trip: the same bookmarks, in the same order, with the same pictures.
  const { content: exported } = await requestExport(site, alice, { pictures: true })
  const { id } = await uploadFile(site, bob, exported)
  await startAndFinish(site, bob, id)
  expect(await picturesOf(bob)).toEqual(await picturesOf(alice))
  const { content: again } = await requestExport(site, bob, { pictures: true })
  expect(await readBookmarks(again)).toEqual(await readBookmarks(exported))
  // Only what the undo needs is left of the file.
  expect(
    await db`select from import_pictures where import_id = ${review.id} and data is not null`,
  ).toHaveLength(0)
})

test('what videos and other users have stays as it is, also without a picture', async () => {
  const { video } = await saveFilm(site, bob, 'of bob', { video: { source_url: link(0) } })
  await saveFilm(site, bob, 'with a picture', { video: { source_url: link(1) } })
  await db`
    update videos set thumbnail_key = 'a.webp', thumbnail_large_key = 'b.webp', thumbnail_state = 'ready'
     where source_url = ${link(1)}`
  const before = await db`select * from videos where id = ${video.id}`
  const review = await uploadFile(site, alice, createExport([red, green]))
  expect(review.summary).toMatchObject({ pictures: 1 })
  await startAndFinish(site, alice, review.id)
  expect(await picturesOf(alice)).toEqual({ 0: await hashOf(red), 1: null })
  expect(await picturesOf(bob)).toEqual({ 0: null, 1: null })
  const [after] = await db`select thumbnail_key, thumbnail_state, shape from videos where id = ${video.id}`
  expect(before[0]).toMatchObject(after ?? {})
})

test('a picture of a video that is only saved privately does not change what the review counts', async () => {
  const isPrivate = { access: 'private' as const }
  await saveFilm(site, bob, 'secret', { video: { source_url: link(0) }, bookmark: isPrivate })
  await db`
    update videos set thumbnail_key = 'c.webp', thumbnail_large_key = 'd.webp', thumbnail_state = 'ready'
     where source_url = ${link(0)}`
  const review = await uploadFile(site, alice, createExport([red]))
  expect(review.summary).toMatchObject({ pictures: 1 })
})

test('of pictures with the same name the first is used, and the list of bookmarks is no picture', async () => {
  const bookmarks = ['a.webp', 'list.json'].map((picture, n) => ({ ...sampleBookmark(link(n)), picture }))
  const list = JSON.stringify({ ...emptyFile, bookmarks })
  const pictures = [red, green].map((content): ZipEntry => ({ name: 'a.webp', content, method: 0 }))
  const review = await uploadFile(site, alice, createZip([{ name: 'list.json', content: list }, ...pictures]))
  expect(review).toMatchObject({ ignored_files: 0, summary: { pictures: 1 } })
  const result = await startAndFinish(site, alice, review.id)
  expect(result).toMatchObject({ state: 'done', done: result.total })
  expect(await picturesOf(alice)).toEqual({ 0: await hashOf(red), 1: null })
})

test('a bookmark that existed before gets no picture', async () => {
  await saveFilm(site, alice, 'mine', { video: { source_url: link(0) } })
  const review = await uploadFile(site, alice, createExport([red]))
  const result = await startAndFinish(site, alice, review.id)
  expect(result).toMatchObject({ state: 'done', duplicates: 1, done: result.total })
  expect(await picturesOf(alice)).toEqual({ 0: null })
})

test('damaged, too large and refused pictures, and files that are no pictures, are left out', async () => {
  const refused = await createTestPicture(3)
  await db`insert into refused_pictures (hash) values (${await hashOf(refused)}::bit(64))`
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  const tooLarge = Buffer.alloc(11 * 1024 * 1024, 1)
  const review = await uploadFile(
    site,
    alice,
    createExport([svg, red.subarray(0, 2000), tooLarge, refused, green]),
  )
  expect(review.summary).toMatchObject({ pictures: 4 })
  const result = await startAndFinish(site, alice, review.id)
  expect(result).toMatchObject({ state: 'done', added: 5, done: result.total })
  expect(await picturesOf(alice)).toEqual({ 0: null, 1: null, 2: null, 3: null, 4: await hashOf(green) })
  const [report] = await db`select from reports where target_kind = 'user' and target_id = ${alice.id}`
  expect(report).toBeDefined()
})

test('the undo deletes bookmarks with a picture of the file, and retains those whose picture was changed', async () => {
  const { id } = await uploadFile(site, alice, createExport([red, green]))
  await startAndFinish(site, alice, id)
  const rows = await readReport(site, alice, id)
  const changed = rows.find(({ url }) => url === link(1))?.bookmark_id ?? 0
  await site.call(
    updateBookmark,
    { params: { id: changed }, body: { thumbnail_url: 'https://films.example.org/other.jpg' } },
    alice,
  )
  await site.call(undoImport, { params: { id } }, alice)
  await waitUntilFinished(() => site.call(getImport, { params: { id } }, alice))
  expect(Object.keys(await picturesOf(alice))).toEqual(['1'])
  expect(await readReport(site, alice, id, 'retained')).toMatchObject([{ url: link(1) }])
})

test('an import whose process dies among its pictures continues with the next one', async () => {
  const { id } = await uploadFile(site, alice, createExport([red, green]))
  await db`update imports set state = 'running', attempts = 1, heartbeat_at = now() - interval '2 minutes', options = '{}' where id = ${id}`
  let stored = 0
  const { media, ...deps } = site.app.deps
  const put: typeof media.put = async (key, bytes) => {
    stored += 1
    // Each picture has two sizes.
    if (stored > 2) throw new Error('killed')
    await media.put(key, bytes)
  }
  await expect(runImport({ ...deps, media: { ...media, put } }, id)).rejects.toThrow('killed')
  expect(Object.values(await picturesOf(alice)).filter((hash) => hash !== null)).toHaveLength(1)
  expect(await claimImport(db, id)).toBeNull()
  await db`update imports set heartbeat_at = now() - interval '2 minutes' where id = ${id}`
  await runImport(site.app.deps, id)
  const finished = await site.call(getImport, { params: { id } }, alice)
  expect(finished).toMatchObject({ state: 'done', done: finished.total })
  expect(await picturesOf(alice)).toEqual({ 0: await hashOf(red), 1: await hashOf(green) })
})

test('a review that is discarded leaves no pictures, and others cannot start it', async () => {
  const { id } = await uploadFile(site, alice, createExport([red]))
  await expect(site.call(startImport, { params: { id }, body: {} }, bob)).rejects.toThrow()
  const reply = await site.app.inject({
    method: 'DELETE',
    url: `/api/transfer/imports/${id}/`,
    headers: { authorization: `Bearer ${alice.access}` },
  })
  expect(reply.statusCode).toBe(204)
  expect(await db`select from import_pictures where import_id = ${id}`).toHaveLength(0)
})

describe('a zip file that is larger than a file may be', { tags: ['heavy'] }, () => {
  const noise = () => randomFillSync(Buffer.alloc(9 * 1024 * 1024))
  const receive = (content: Buffer) => uploadAnyFile(db, alice.id, Readable.from(split(content)))
  function* split(content: Buffer) {
    for (let start = 0; start < content.length; start += limits.uploadChunkMax)
      yield content.subarray(start, start + limits.uploadChunkMax)
  }

  test('is imported if it is our own: only its pictures are that large', async () => {
    const pictures = Array.from({ length: 15 }, noise)
    const content = createExport(pictures)
    expect(content.length).toBeGreaterThan(limits.importMax)
    const { id, file } = await receive(content)
    expect(file.summary).toMatchObject({ videos: 15, pictures: 15 })
    const [stored] = await db`select sum(length(data)) as bytes from import_pictures where import_id = ${id}`
    expect(Number(stored?.bytes)).toBe(15 * 9 * 1024 * 1024)
    await db`delete from imports where id = ${id}`
  })

  test('is refused if it is small and only its pictures expand to that', async () => {
    const expanding = Buffer.alloc(9 * 1024 * 1024, randomFillSync(Buffer.alloc(20_000)))
    const bookmarks = Array.from({ length: 15 }, (_, n) => ({
      ...sampleBookmark(link(n)),
      picture: `${n}.webp`,
    }))
    const list = { name: 'list.json', content: JSON.stringify({ ...emptyFile, bookmarks }) }
    const content = createZip([
      list,
      ...bookmarks.map(({ picture }) => ({ name: picture, content: expanding })),
    ])
    await expect(receive(content)).rejects.toMatchObject({ code: 'malformed-body' })
    expect(await db`select from imports where user_id = ${alice.id}`).toHaveLength(0)
  })

  test('is imported if other files in it are that large, of which nothing is stored', async () => {
    const videos = Array.from(
      { length: 15 },
      (_, n): ZipEntry => ({ name: `Takeout/${n}.mp4`, content: noise(), method: 0 }),
    )
    const csv = 'Video ID,Playlist Video Creation Timestamp\naqz-KE-bpKQ,2023-01-01T00:00:00+00:00\n'
    const content = createZip([...videos, { name: 'Takeout/playlists/Films-videos.csv', content: csv }])
    const { id, file } = await receive(content)
    expect(file).toMatchObject({ ignored_files: 15, summary: { videos: 1 } })
    const [stored] = await db`select sum(length(data)) as bytes from import_files where import_id = ${id}`
    expect(Number(stored?.bytes)).toBeLessThan(10_000)
    await db.begin((tx) => openReview(tx, { id, user_id: alice.id, file }))
    expect(await startAndFinish(site, alice, id)).toMatchObject({ state: 'done', added: 1 })
  })

  test('is refused if it is no zip file', async () => {
    const text = Buffer.alloc(limits.importMax + 1, 'https://vimeo.com/1\n')
    await expect(receive(text)).rejects.toMatchObject({ code: 'too-large' })
    expect(await db`select from imports where user_id = ${alice.id}`).toHaveLength(0)
  })

  test('may have tens of thousands of pictures', async () => {
    const entries = Array.from(
      { length: 60_000 },
      (_, n): ZipEntry => ({ name: `pictures/${n}.webp`, content: 'x', method: 0 }),
    )
    const content = createZip([{ name: 'reelmark-x.json', content: JSON.stringify(emptyFile) }, ...entries])
    const { file } = await receive(content)
    expect(file).toMatchObject({ ignored_files: 60_000, summary: { videos: 0, pictures: 0 } })
  })
})
