import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useSite } from '../../testing/use-site.ts'
import { announceBackup } from '../database/backup-lock.ts'
import { deleteOrphanedPictures, deleteQueuedPictures } from './picture-deletion.ts'
import { createMediaKey } from './store.ts'

const { site, alice, bob } = await useSite()
const { deps } = site.app
const { media } = deps

async function storePicture(): Promise<string> {
  const key = createMediaKey()
  await media.put(key, Buffer.from('RIFF????WEBP'))
  return key
}
const fetchStatus = async (key: string) => (await site.app.inject(`/media/${key}`)).statusCode
const setAvatar = (user: { id: number }, key: string | null) =>
  site.db`update users set avatar_key = ${key} where id = ${user.id}`
const countQueued = async () => (await site.db`select from picture_deletions`).count

async function insertVideo(small: string, large: string): Promise<number> {
  const [video] = await site.db<[{ id: number }]>`
    insert into videos (canonical_url, source_url, host, thumbnail_key, thumbnail_large_key, thumbnail_state)
    values (${`https://films.example.org/${small}`}, 'https://films.example.org/', 'films.example.org', ${small}, ${large},
            'ready') returning id`
  return video.id
}

test('a replaced avatar and the thumbnail of a deleted video are not found any more', async () => {
  const [first, second, small, large] = [
    await storePicture(),
    await storePicture(),
    await storePicture(),
    await storePicture(),
  ]
  const video = await insertVideo(small, large)
  await setAvatar(alice, first)
  await setAvatar(alice, second)
  await site.db`delete from videos where id = ${video}`
  expect(await deleteQueuedPictures(deps)).toBe(3)
  expect(await Promise.all([first, second, small, large].map(fetchStatus))).toEqual([404, 200, 404, 404])
  expect(await countQueued()).toBe(0)
})

test('a picture that a rolled back transaction stopped using stays', async () => {
  const key = await storePicture()
  await setAvatar(alice, key)
  await site.db
    .begin(async (tx) => {
      await tx`update users set avatar_key = null where id = ${alice.id}`
      throw new Error('rolled back')
    })
    .catch(() => {})
  await deleteQueuedPictures(deps)
  expect(await fetchStatus(key)).toBe(200)
})

test('a picture that two rows use is deleted when the last of them stops using it', async () => {
  const key = await storePicture()
  await setAvatar(alice, key)
  await setAvatar(bob, key)
  await setAvatar(alice, null)
  await deleteQueuedPictures(deps)
  expect(await fetchStatus(key)).toBe(200)
  await setAvatar(bob, null)
  await deleteQueuedPictures(deps)
  expect(await fetchStatus(key)).toBe(404)
  expect(await countQueued()).toBe(0)
})

test('a picture whose deletion fails is deleted by a later run, and does not delay the others', async () => {
  const [broken, other] = [await storePicture(), await storePicture()]
  for (const key of [broken, other, null]) await setAvatar(alice, key)
  const failing = {
    ...media,
    delete: async (key: string) => {
      if (key === broken) throw new Error('the disk is busy')
      await media.delete(key)
    },
  }
  await expect(deleteQueuedPictures({ ...deps, media: failing })).rejects.toThrow('the disk is busy')
  expect(await Promise.all([broken, other].map(fetchStatus))).toEqual([200, 404])
  await deleteQueuedPictures(deps)
  expect(await fetchStatus(broken)).toBe(404)
})

test('no picture is deleted while a backup copies them, except those to delete at once', async () => {
  const [first, second] = [await storePicture(), await storePicture()]
  for (const key of [first, second, null]) await setAvatar(alice, key)
  await site.db.begin(async (tx) => {
    await announceBackup(tx)
    await site.db`update schema_migrations set run_at = now() - interval '8 days'`
    expect(await deleteQueuedPictures(deps)).toBe(0)
    expect(await deleteOrphanedPictures(deps, new Date(Date.now() + 60_000))).toBe(0)
    expect(await deleteQueuedPictures(deps, [first])).toBe(1)
    expect(await Promise.all([first, second].map(fetchStatus))).toEqual([404, 200])
  })
  expect(await deleteQueuedPictures(deps)).toBe(1)
})

test('pictures that no row uses are deleted a day after they were stored, and used ones never', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, storePicture))
  // The last one was just stored.
  const [avatar = '', small = '', large = '', orphan = ''] = keys
  await setAvatar(alice, avatar)
  await insertVideo(small, large)
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const key of [avatar, small, large, orphan]) {
    await utimes(join(site.settings.dataDir, 'media', key.slice(0, 2), key), yesterday, yesterday)
  }
  // In a database that is not a week old, a backup may be about to be restored.
  await site.db`update schema_migrations set run_at = now() - interval '6 days'`
  expect(await deleteOrphanedPictures(deps)).toBe(0)
  await site.db`update schema_migrations set run_at = now() - interval '8 days'`
  expect(await deleteOrphanedPictures(deps)).toBe(1)
  expect(await Promise.all(keys.map(fetchStatus))).toEqual([200, 200, 200, 404, 200])
})
