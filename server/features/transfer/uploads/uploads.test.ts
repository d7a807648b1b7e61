/** Uploads in chunks: they continue where they stopped, become an import once complete, and take the space of one file per user. */
import { getImport, listImports } from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  deleteUpload,
  importUpload,
  listUploads,
  startUpload,
  type Upload,
} from '@reelmark/contract/uploads.ts'
import { beforeEach, expect, test } from 'vitest'
import { errorReply, failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { startAndFinish } from '../full-account.fixture.ts'
import { transferQueues } from '../jobs.ts'
import { sendFile } from '../upload-file.fixture.ts'
import { readUpload } from './queries.ts'

const site = await useEmptySite({ work: true })
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

const modified_at = '2026-11-20T10:00:00Z'
const content = Buffer.from(Array.from({ length: 300 }, (_, n) => `https://vimeo.com/${1000 + n}\n`).join(''))
const start = (file: { name?: string; size?: number; modified_at?: string } = {}, user = alice) =>
  site.call(startUpload, { body: { name: 'links.txt', size: content.length, modified_at, ...file } }, user)
const byId = (id: number) => ({ params: { id } })
const uploads = async (user = alice) => (await site.call(listUploads, { query: {} }, user)).results

async function send(id: number, offset: number, payload: Buffer, user = alice) {
  const { statusCode, ...reply } = await site.app.inject({
    method: 'POST',
    url: `/api/transfer/uploads/${id}/chunks/?offset=${offset}`,
    headers: { authorization: `Bearer ${user.access}`, 'content-type': 'application/octet-stream' },
    payload,
  })
  return { status: statusCode, body: reply.json() as Upload & { code: string } }
}
/** Lets the last request of an upload be longer ago than an active one. */
const interrupt = (minutes = 2) =>
  site.db`update uploads set heartbeat_at = now() - make_interval(mins => ${minutes}::int)`

test('a file in chunks continues where it stopped, and becomes an import', async () => {
  const { id, offset, size } = await start()
  expect([offset, size]).toEqual([0, content.length])
  expect((await send(id, 0, content.subarray(0, 1000))).body.offset).toBe(1000)
  // The same file in another visit.
  expect(await start()).toMatchObject({ id, offset: 1000 })
  expect(await uploads()).toMatchObject([{ id, name: 'links.txt', offset: 1000 }])
  expect(await failedReply(site.call(importUpload, byId(id), alice))).toEqual(errorReply('upload-incomplete'))
  expect((await send(id, 1000, content.subarray(1000))).body.offset).toBe(content.length)
  const review = await site.call(importUpload, byId(id), alice)
  expect(review).toMatchObject({ state: 'review', summary: { videos: 300 } })
  expect(await uploads()).toEqual([])
  expect(await site.db`select from upload_chunks where upload_id = ${id}`).toHaveLength(0)
  expect(await startAndFinish(site, alice, review.id)).toMatchObject({ added: 300, failed: 0 })
})

test('a chunk at another position is refused and stores nothing', async () => {
  const { id } = await start()
  await send(id, 0, content.subarray(0, 100))
  for (const offset of [0, 50, 101]) {
    expect(await send(id, offset, content.subarray(0, 10))).toMatchObject({
      status: 409,
      body: { code: 'wrong-offset' },
    })
  }
  const [first, second] = await Promise.all([
    send(id, 100, content.subarray(100, 200)),
    send(id, 100, content.subarray(100, 200)),
  ])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  expect(await uploads()).toMatchObject([{ offset: 200 }])
})

test('chunks beyond their limit or the size of the file, and empty ones, are refused', async () => {
  const { id } = await start({ size: limits.uploadChunkMax + 10 })
  expect((await send(id, 0, Buffer.alloc(limits.uploadChunkMax + 1))).body.code).toBe('too-large')
  expect((await send(id, 0, Buffer.alloc(0))).body.code).toBe('malformed-body')
  expect((await send(id, 0, Buffer.alloc(limits.uploadChunkMax))).status).toBe(200)
  expect((await send(id, limits.uploadChunkMax, Buffer.alloc(11))).body.code).toBe('too-large')
})

test('a file beyond the limit is refused before anything is sent', async () => {
  expect(await failedReply(start({ size: limits.uploadMax + 1 }))).toMatchObject({
    status: 413,
    body: { code: 'too-large', detail: 'The file is larger than 1024 MB.' },
  })
  await start({ size: limits.uploadMax })
})

test('a user uploads one file at a time, however it is sent; one that stopped is replaced', async () => {
  const { id } = await start()
  await send(id, 0, content.subarray(0, 100))
  const other = { name: 'other.txt' }
  expect(await failedReply(start(other))).toEqual(errorReply('already-running'))
  expect((await sendFile(site, alice, 'https://vimeo.com/1')).statusCode).toBe(409)
  await start({}, bob)
  await interrupt()
  expect((await start(other)).id).not.toBe(id)
  expect(await uploads()).toMatchObject([{ name: 'other.txt', offset: 0 }])
  expect(await site.db`select from upload_chunks where upload_id = ${id}`).toHaveLength(0)
  await interrupt()
  const [first, second] = await Promise.all([
    sendFile(site, alice, 'https://vimeo.com/1'),
    sendFile(site, alice, 'https://vimeo.com/2'),
  ])
  expect([first?.statusCode, second?.statusCode].sort()).toEqual([201, 409])
  expect(await uploads()).toEqual([])
  // An import in review, too.
  expect(await failedReply(start())).toEqual(errorReply('already-running'))
})

test('a complete file that cannot be read is refused with the reason and deleted', async () => {
  const broken = Buffer.from([0, 1, 2])
  const { id } = await start({ size: broken.length })
  await send(id, 0, broken)
  expect(await failedReply(site.call(importUpload, byId(id), alice))).toMatchObject({
    status: 400,
    body: { code: 'malformed-body' },
  })
  expect(await uploads()).toEqual([])
  expect((await site.call(listImports, { query: {} }, alice)).count).toBe(0)
})

test('an upload is imported once, also by two requests at the same time', async () => {
  const { id } = await start()
  await send(id, 0, content)
  const replies = await Promise.allSettled([
    site.call(importUpload, byId(id), alice),
    site.call(importUpload, byId(id), alice),
  ])
  expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await site.call(listImports, { query: {} }, alice)).count).toBe(1)
})

test('an upload whose reading process died can be imported again', async () => {
  const { id } = await start()
  await send(id, 0, content)
  await site.db`update uploads set is_reading = true where id = ${id}`
  expect(await failedReply(site.call(importUpload, byId(id), alice))).toEqual(errorReply('not-found'))
  await interrupt()
  const review = await site.call(importUpload, byId(id), alice)
  expect(await site.call(getImport, byId(review.id), alice)).toMatchObject({ state: 'review' })
})

test('other users can neither continue, import nor delete an upload', async () => {
  const { id } = await start()
  expect((await send(id, 0, content, bob)).status).toBe(404)
  expect(await failedReply(site.call(importUpload, byId(id), bob))).toEqual(errorReply('not-found'))
  expect(await failedReply(site.call(deleteUpload, byId(id), bob))).toEqual(errorReply('not-found'))
  expect(await uploads(bob)).toEqual([])
  await site.call(deleteUpload, byId(id), alice)
  expect(await uploads()).toEqual([])
})

test('uploads that did not continue for a day are deleted by a job', async () => {
  await start()
  await start({}, bob)
  await site.db`update uploads set heartbeat_at = now() - interval '25 hours' where user_id = ${alice.id}`
  const queue = transferQueues(site.app.deps).find(({ name }) => name === 'remove-old-uploads')
  await queue?.work({})
  expect(await uploads()).toEqual([])
  expect(await uploads(bob)).toHaveLength(1)
})

test('a temporary error while a complete file is read deletes nothing, so that it can be read again', async () => {
  const { id } = await start()
  await send(id, 0, content)
  // The tables of the file are out of reach, as in an outage of the database.
  await site.db`alter table upload_chunks rename to upload_chunks_away`
  const failed = await failedReply(site.call(importUpload, byId(id), alice))
  await site.db`alter table upload_chunks_away rename to upload_chunks`
  expect(failed.status).toBe(500)
  expect(site.log.splice(0).length).toBeGreaterThan(0)
  expect(await uploads()).toMatchObject([{ id, offset: content.length }])
  expect(await site.call(importUpload, byId(id), alice)).toMatchObject({ summary: { videos: 300 } })
  expect(await uploads()).toEqual([])
})

test('a full disk is reported as such and deletes nothing', async () => {
  const { id } = await start()
  await send(id, 0, content)
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const reading = readUpload(site.app.deps.db, id, true, () => Promise.reject(full))
  await expect(reading).rejects.toMatchObject({ code: 'unavailable' })
  expect(await uploads()).toMatchObject([{ id }])
})
