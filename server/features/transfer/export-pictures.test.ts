/** Exports with pictures: a zip file with the exported file and the pictures it refers to, which can be imported again. */
import { Readable } from 'node:stream'
import { getExport, startExport } from '@reelmark/contract/transfer.ts'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { createMediaKey, type MediaStore } from '../../core/media/store.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'
import { readExportZip, requestExport, unzip } from './export-zip.fixture.ts'
import { createZip } from './formats/zip.fixture.ts'
import { exportAccount, startAndFinish, waitUntilFinished } from './full-account.fixture.ts'
import { createPictureZip } from './picture-zip.ts'
import { sendFile, uploadFile } from './upload-file.fixture.ts'

const { site, alice, bob } = await useSite({ work: true })
const { media } = site.app.deps

/** Saves a film whose stored picture has the given bytes. */
async function saveWithPicture(user: TestUser, film: string, content: string | null, own = true) {
  const { id, video } = await saveFilm(site, user, film)
  if (content === null) return { id, key: null }
  const key = createMediaKey()
  await media.put(key, Buffer.from(content))
  if (own)
    await site.db`update bookmarks set thumbnail_key = ${key}, thumbnail_large_key = ${key} where id = ${id}`
  else
    await site.db`update videos set thumbnail_key = ${key}, thumbnail_large_key = ${key} where id = ${video.id}`
  return { id, key }
}

const own = await saveWithPicture(alice, 'own', 'the picture of alice')
const shared = await saveWithPicture(alice, 'shared', 'the picture of the video', false)
await saveWithPicture(alice, 'bare', null)
await saveWithPicture(bob, 'of bob', 'the picture of bob')
const pictures = {
  [`pictures/${own.id}.webp`]: 'the picture of alice',
  [`pictures/${shared.id}.webp`]: 'the picture of the video',
}

test('the zip file contains the exported file and the pictures that it refers to', async () => {
  const { finished, headers, content } = await requestExport(site, alice, { pictures: true })
  expect(finished).toMatchObject({ format: 'json', pictures_count: 2, size: null })
  expect(headers['content-type']).toBe('application/zip')
  expect(headers['content-disposition']).toMatch(/filename="reelmark-alice-\d{4}-\d\d-\d\d\.zip"/)
  const names = [...(await unzip(content)).keys()]
  expect(names.filter((name) => /^reelmark-alice-\d{4}-\d\d-\d\d\.json$/.test(name))).toHaveLength(1)
  const { file, pictures: files } = await readExportZip(content)
  expect(Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString()]))).toEqual(pictures)
  expect(file.bookmarks.map(({ title, picture }) => [title, picture])).toEqual([
    ['Film own', `pictures/${own.id}.webp`],
    ['Film shared', `pictures/${shared.id}.webp`],
    ['Film bare', null],
  ])
})

test.each(['csv', 'html'] as const)('bookmarks in a %s file name their pictures, too', async (format) => {
  const { content } = await requestExport(site, alice, { format, pictures: true })
  const files = await unzip(content)
  const text = [...files].find(([name]) => name.endsWith(`.${format}`))?.[1].toString() ?? ''
  if (format === 'html') {
    const covers = [...text.matchAll(/DATA-COVER="([^"]*)"/g)].map(([, name]) => name)
    expect(covers).toEqual(Object.keys(pictures))
  } else {
    const rows: { picture: string }[] = parse(text, { bom: true, columns: true })
    expect(rows.map(({ picture }) => picture)).toEqual([...Object.keys(pictures), ''])
  }
  expect(files.size).toBe(3)
})

test('without pictures nothing refers to them', async () => {
  const { finished, headers, content } = await requestExport(site, alice, { format: 'csv' })
  expect(finished.pictures_count).toBeNull()
  expect(finished.size).toBe(content.length)
  expect(headers['content-type']).toMatch(/^text\/csv/)
  expect(content.toString()).not.toContain('picture')
  expect(JSON.stringify((await exportAccount(site, alice)).bookmarks)).not.toContain('pictures/')
})

test('a picture that was deleted since is left out', async () => {
  const carol = await signUp(site, 'carol')
  const deleted = await saveWithPicture(carol, 'deleted', 'soon deleted')
  const other = await saveWithPicture(carol, 'other', 'still there')
  const { id } = await site.call(startExport, { query: { pictures: true } }, carol)
  await waitUntilFinished(() => site.call(getExport, { params: { id } }, carol))
  await media.delete(deleted.key ?? '')
  const { rawPayload } = await site.app.inject({
    url: `/api/transfer/exports/${id}/file/`,
    headers: { authorization: `Bearer ${carol.access}` },
  })
  const files = await unzip(rawPayload)
  expect([...files.keys()].filter((name) => name.startsWith('pictures/'))).toEqual([
    `pictures/${other.id}.webp`,
  ])
})

test('the zip file is imported into another account', async () => {
  const { content } = await requestExport(site, alice, { pictures: true })
  const dave = await signUp(site, 'dave')
  const damaged = await sendFile(
    site,
    dave,
    createZip([{ name: 'data.json', content: '{"format":"reelmark","version":1,' }]),
  )
  expect(damaged.statusCode).toBe(400)
  const review = await uploadFile(site, dave, content)
  expect(review).toMatchObject({
    is_own_format: true,
    ignored_files: 0,
    summary: { videos: 3, pictures: 1 },
  })
  expect(await startAndFinish(site, dave, review.id)).toMatchObject({ added: 3, failed: 0 })
  const { bookmarks } = await exportAccount(site, dave)
  expect(bookmarks.map(({ title }) => title)).toEqual(['Film own', 'Film shared', 'Film bare'])
})

test('pictures are read one at a time, as fast as the receiver takes them', async () => {
  let open = 0
  let read = 0
  const slow: Pick<MediaStore, 'get'> = {
    async get() {
      open += 1
      expect(open).toBe(1)
      read += 1
      const stream = Readable.from([Buffer.alloc(64 * 1024, read)])
      stream.once('close', () => {
        open -= 1
      })
      return { stream, type: 'image/webp', bytes: 64 * 1024 }
    },
  }
  async function* names() {
    for (let n = 0; n < 100; n++) yield [{ name: `pictures/${n}.webp`, key: createMediaKey() }]
  }
  const first = { name: 'a.json', content: Readable.from([Buffer.from('{}')]) }
  const zip = createPictureZip(slow as MediaStore, first, names(), new Date())
  for await (const _ of zip) {
    // Of 100 pictures, only those that fit into the buffers of the streams are read before the receiver wants more.
    expect(read).toBeLessThan(20)
    break
  }
  expect(zip.destroyed).toBe(true)
})
