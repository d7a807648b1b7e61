import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createMediaKey, openMediaStore } from './core/media/store.ts'
import { restartFailedThumbnails } from './features/bookmarks/thumbnails/thumbnail-queries.ts'
import { runAdminCommand } from './testing/admin-command.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import { useSite } from './testing/use-site.ts'

const { site, alice, bob } = await useSite()
const folder = await mkdtemp(path.join(tmpdir(), 'reelmark-media-'))
afterAll(() => rm(folder, { recursive: true }))
const media = openMediaStore({ dataDir: folder })

const check = async (...options: string[]) => {
  const { code, stdout, stderr } = await runAdminCommand(site, folder, ['media', 'check', ...options], {
    env: { DATA_DIR: folder },
  })
  return code === 0 ? stdout : stderr
}

async function storePicture(): Promise<string> {
  const key = createMediaKey()
  await media.put(key, Buffer.from('RIFF????WEBP'))
  return key
}

/** Gives a bookmark or its video the keys of two pictures. */
const setThumbnail = (
  table: 'videos' | 'bookmarks',
  id: number,
  keys: readonly string[],
  isUploaded = false,
) =>
  table === 'videos'
    ? site.db`update videos set thumbnail_key = ${keys[0] as string}, thumbnail_large_key = ${keys[1] as string},
                                thumbnail_state = 'ready' where id = ${id}`
    : site.db`update bookmarks set thumbnail_key = ${keys[0] as string}, thumbnail_large_key = ${keys[1] as string},
                                thumbnail_state = 'ready', thumbnail_is_uploaded = ${isUploaded} where id = ${id}`

test('media check refuses to repair if nothing at all is stored', async () => {
  await site.db`update users set avatar_key = ${createMediaKey()} where id = ${alice.id}`
  expect(await check('--repair')).toMatch('Nothing is stored')
  expect((await site.db`select from users where avatar_key is not null`).count).toBe(1)
})

test('media check counts missing and unused pictures, and --repair removes and fetches them', async () => {
  await site.db`update schema_migrations set run_at = now() - interval '8 days'`
  const film = await saveFilm(site, alice, 1)
  const other = await saveFilm(site, bob, 2)
  const stored = [await storePicture(), await storePicture()] as const
  await setThumbnail('videos', film.video.id, stored)
  await setThumbnail('videos', other.video.id, [await storePicture(), createMediaKey()])
  await setThumbnail('bookmarks', film.id, [createMediaKey(), createMediaKey()], true)
  const unused = await storePicture()
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  await utimes(path.join(folder, 'media', unused.slice(0, 2), unused), twoDaysAgo, twoDaysAgo)
  const recent = await storePicture()

  const counts = 'those of 1 videos, 1 bookmarks and 1 users'
  const found = await check()
  expect(found).toContain(`3 pictures are stored. Missing: ${counts}. Unused: 1 pictures. Add --repair`)
  expect(await check()).toBe(found)

  expect(await check('--repair')).toContain(`Missing were ${counts}. The site fetches their thumbnails again`)
  expect(await check()).toBe(
    '2 pictures are stored. Missing: those of 0 videos, 0 bookmarks and 0 users. Unused: 0 pictures.',
  )
  expect(await media.has(unused)).toBe(false)
  expect(await media.has(recent)).toBe(true)
  expect(await Promise.all(stored.map((key) => media.has(key)))).toEqual([true, true])
  // The uploaded picture cannot be fetched again.
  expect(await restartFailedThumbnails(site.db)).toEqual([{ video_id: other.video.id }])
  expect((await site.db`select from users where avatar_key is not null`).count).toBe(0)
})

test('media takes only the command check', async () => {
  const { code, stderr } = await runAdminCommand(site, folder, ['media', 'delete'])
  expect(code).toBe(2)
  expect(stderr).toContain('Unknown command media delete.')
})
