/** Uploading the thumbnail of an own bookmark, and the private note, which only the owner reads. */
import { trashBookmark, updateBookmark, uploadThumbnail } from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import { collectBookmark } from '@reelmark/contract/collect.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { endpointUrl } from '@reelmark/contract/protocol/call.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { deleteQueuedPictures } from '../../../core/media/picture-deletion.ts'
import { processPicture } from '../../../core/media/process.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { createTestPicture } from '../../../testing/test-pictures.ts'
import { signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { syncThumbnails } from '../thumbnails/sync-thumbnails.ts'

const { site, alice, bob } = await useSite()
const mod = await signUpModerator(site, 'mod')
const tall = await sharp({ create: { width: 90, height: 160, channels: 3, background: '#336699' } })
  .withExif({ IFD0: { Copyright: 'secret place' } })
  .jpeg()
  .toBuffer()

const byId = (id: number) => ({ params: { id } })
const read = (id: number, as: TestUser | null = null) => site.call(getBookmark, byId(id), as)

/** Sends a form the way a browser does. */
async function upload(
  id: number,
  file: Buffer | string | null,
  as: TestUser | null = alice,
  name = 'thumbnail',
) {
  const form = new FormData()
  if (file !== null) form.append(name, new Blob([file as never]), '../../picture.jpg')
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  return site.app.inject({
    method: 'POST',
    url: endpointUrl(uploadThumbnail, { id }),
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      ...(as !== null && { authorization: `Bearer ${as.access}` }),
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}
const getPicture = (url: string | null) => site.app.inject(url ?? '/missing')

test('an uploaded picture is re-encoded, sets the shape, and belongs to the bookmark only', async () => {
  const { id, video } = await saveFilm(site, alice, 'uploaded')
  const other = await saveFilm(site, bob, 'uploaded')
  const reply = await upload(id, tall)
  expect(reply.statusCode, reply.body).toBe(200)
  const changed = reply.json<Bookmark>()
  expect(changed).toMatchObject({
    video: { shape: 'portrait' },
    owner_facts: { has_uploaded_thumbnail: true, thumbnail_url: null, thumbnail_state: 'ready' },
  })
  expect(changed.video.thumbnail_url).toMatch(/^\/media\/[0-9a-f]{40}\.webp$/)
  expect(changed.video.thumbnail_large_url).not.toBe(changed.video.thumbnail_url)
  const picture = await getPicture(changed.video.thumbnail_url)
  expect(picture.headers['content-type']).toBe('image/webp')
  expect(picture.rawPayload.includes('secret place')).toBe(false)
  // It is shown with this bookmark only, not with others of the video.
  expect((await read(id)).video.thumbnail_url).toBe(changed.video.thumbnail_url)
  expect((await read(other.id)).video).toMatchObject({ thumbnail_url: null, shape: 'unknown' })
  const [stored] =
    await site.db`select thumbnail_key, thumbnail_source_url, shape from videos where id = ${video.id}`
  expect(stored).toEqual({ thumbnail_key: null, thumbnail_source_url: null, shape: null })
})

test('the file of a replaced picture is deleted, and the picture of the site can be restored', async () => {
  const { id } = await saveFilm(site, alice, 'replaced')
  const first = (await upload(id, tall)).json<Bookmark>().video.thumbnail_url
  const second = (await upload(id, tall)).json<Bookmark>().video.thumbnail_url
  expect(second).not.toBe(first)
  await deleteQueuedPictures(site.app.deps)
  expect((await getPicture(first)).statusCode).toBe(404)
  expect((await getPicture(second)).statusCode).toBe(200)
  // A change of something else keeps it.
  const body = { title: 'Else' }
  expect(await site.call(updateBookmark, { ...byId(id), body }, alice)).toMatchObject({
    video: { thumbnail_url: second },
  })
  expect(
    await site.call(updateBookmark, { ...byId(id), body: { thumbnail_url: null } }, alice),
  ).toMatchObject({
    video: { thumbnail_url: null },
    owner_facts: { has_uploaded_thumbnail: false },
  })
  await deleteQueuedPictures(site.app.deps)
  expect((await getPicture(second)).statusCode).toBe(404)
})

test('the address of an uploaded picture stops working when the bookmark becomes private', async () => {
  const { id } = await saveFilm(site, alice, 'made private')
  const { thumbnail_url } = (await upload(id, tall)).json<Bookmark>().video
  await site.call(updateBookmark, { ...byId(id), body: { access: 'private' } }, alice)
  await syncThumbnails(site.app.deps)
  await deleteQueuedPictures(site.app.deps)
  expect((await getPicture(thumbnail_url)).statusCode).toBe(404)
  const own = await read(id, alice)
  expect(own.video.thumbnail_url).not.toBe(thumbnail_url)
  expect((await getPicture(own.video.thumbnail_url)).statusCode).toBe(200)
})

test('others cannot upload, and learn nothing about private bookmarks', async () => {
  const open = await saveFilm(site, alice, 'open')
  const secret = await saveFilm(site, alice, 'secret', {
    bookmark: { access: 'private', ...(await vaultDestination(site, alice)) },
  })
  const trashed = await saveFilm(site, alice, 'trashed')
  await site.call(trashBookmark, byId(trashed.id), alice)
  const status = async (id: number, as: TestUser | null) => (await upload(id, tall, as)).statusCode
  expect(await status(open.id, null)).toBe(401)
  expect(await status(open.id, bob)).toBe(403)
  expect(await status(open.id, mod)).toBe(403)
  expect(await status(secret.id, bob)).toBe(404)
  expect(await status(trashed.id, alice)).toBe(404)
  expect(await status(4_000_000_000, alice)).toBe(404)
  expect((await read(open.id)).video.thumbnail_url).toBeNull()
})

test.each([
  ['no file', null, 'Choose a picture.'],
  [
    'a page',
    Buffer.from('<!doctype html><script>alert(1)</script>'),
    'Choose a JPEG, PNG, WebP or GIF image.',
  ],
  [
    'a vector graphic',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'Choose a JPEG, PNG, WebP or GIF image.',
  ],
  ['a cut off picture', tall.subarray(0, tall.length / 2), 'This image is damaged.'],
  ['an empty file', Buffer.alloc(0), 'The submitted file is empty.'],
  ['a file of more than 10 MB', Buffer.alloc(10 * 1024 * 1024 + 1, 1), 'The file is larger than 10 MB.'],
])('%s is refused with the reason at the field', async (what, file, text) => {
  const { id } = await saveFilm(site, alice, `refused file, ${what}`)
  const reply = await upload(id, file)
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { thumbnail: [text] }])
  expect((await read(id, alice)).video.thumbnail_url).toBeNull()
})

test('a picture similar to a refused one is not stored, and its uploader is reported without hiding the video', async () => {
  const picture = await createTestPicture(1)
  const { hash } = await processPicture(picture)
  await site.db`insert into refused_pictures (hash) values (${hash}::bit(64))`
  const { id, video } = await saveFilm(site, alice, 'refused picture')
  const reply = await upload(id, picture)
  expect([reply.statusCode, reply.json()]).toMatchObject([
    400,
    { thumbnail: ['This picture cannot be used.'] },
  ])
  expect((await read(id)).video).toMatchObject({ thumbnail_url: null, status: 'visible' })
  const reports = await site.db`select target_kind, user_id from reports where status = 'open'`
  expect(reports).toEqual([{ target_kind: 'user', user_id: alice.id }])
  expect(await site.db`select from videos where id = ${video.id} and status = 'visible'`).toHaveLength(1)
})

test('only the owner reads the private note and their own facts', async () => {
  const { id } = await saveFilm(site, alice, 'noted', {
    bookmark: { private_note: 'remember the zebra', ...(await vaultDestination(site, alice)) },
  })
  expect(await read(id, alice)).toMatchObject({ private_note: 'remember the zebra' })
  const body = {
    private_note: ' buy the zebra disc ',
    embed_url: 'https://player.example.org/noted',
    duration: 75,
  }
  expect(await site.call(updateBookmark, { ...byId(id), body }, alice)).toMatchObject({
    private_note: 'buy the zebra disc',
    video: { duration: 75 },
    owner_facts: { embed_url: 'https://player.example.org/noted', duration: 75 },
  })
  for (const viewer of [null, bob, mod]) {
    const seen = await read(id, viewer)
    expect(seen).not.toHaveProperty('private_note')
    expect(seen).not.toHaveProperty('owner_facts')
    const found = await site.call(listVideos, { query: { q: 'zebra' } }, viewer)
    expect(found.results).toEqual([])
  }
  const { collection_id: collection } = await vaultDestination(site, bob)
  const copy = await site.call(collectBookmark, { body: { bookmark: id, collection } }, bob)
  expect(copy).toMatchObject({ title: 'Film noted', private_note: '' })
})

test('others do not see from the time of the update that the private note changed', async () => {
  const { id } = await saveFilm(site, alice, 'renoted', { bookmark: await vaultDestination(site, alice) })
  const { updated_at } = await read(id)
  await site.call(updateBookmark, { ...byId(id), body: { private_note: 'Show it to Kim' } }, alice)
  expect(await read(id)).toMatchObject({ updated_at })
  await site.call(updateBookmark, { ...byId(id), body: { title: 'Another title' } }, alice)
  expect((await read(id)).updated_at).not.toBe(updated_at)
})
