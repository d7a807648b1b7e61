/** Stored pictures of what moderators remove for good, and of what an operator removes by its key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import { approveReport } from '@reelmark/contract/decisions.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { expect, test } from 'vitest'
import { runAdmin } from '../../../admin.ts'
import { createMediaKey } from '../../../core/media/store.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { fetchAndStoreThumbnail } from '../../bookmarks/thumbnails/jobs.ts'
import { findPendingThumbnail, saveThumbnail } from '../../bookmarks/thumbnails/thumbnail-queries.ts'
import { removeVideoPictures } from './remove-pictures.ts'

const { site, alice, bob } = await useSite()
const { db } = site
const { deps } = site.app
const { media } = deps
const mod = await signUpModerator(site, 'mod')

async function storePicture(): Promise<string> {
  const key = createMediaKey()
  await media.put(key, Buffer.from('RIFF????WEBP'))
  return key
}

/** Stores a thumbnail for a row and returns the keys of both sizes. */
async function storeThumbnail(table: 'videos' | 'bookmarks', id: number): Promise<string[]> {
  const keys = [await storePicture(), await storePicture()]
  await db`
    update ${db(table)} set thumbnail_key = ${keys[0]}, thumbnail_large_key = ${keys[1]}, thumbnail_state = 'ready',
           thumbnail_hash = ${'01'.repeat(32)}::bit(64) where id = ${id}`
  return keys
}
const fetchStatuses = (keys: string[]) =>
  Promise.all(keys.map(async (key) => (await site.app.inject(`/media/${key}`)).statusCode))

async function approve(report: Parameters<typeof site.call<typeof createReport>>[1]['body']) {
  const filed = await site.call(createReport, { body: report }, alice)
  await site.call(approveReport, { body: { report_id: filed.id } }, mod)
}

async function saveWithPictures(
  name: string,
): Promise<{ saves: Bookmark[]; owner: TestUser; keys: string[] }> {
  const owner = await signUp(site, name)
  const saves = [await saveFilm(site, owner, name), await saveFilm(site, bob, name)]
  const keys = [
    ...(await storeThumbnail('videos', saves[0]?.video.id ?? 0)),
    ...(await Promise.all(saves.map(({ id }) => storeThumbnail('bookmarks', id)))).flat(),
  ]
  return { saves, owner, keys }
}

test('when a video is removed for good, none of its pictures is found any more, not even those of other savers', async () => {
  const { saves, keys } = await saveWithPictures('worst')
  const video_id = saves[0]?.video.id ?? 0
  expect(await fetchStatuses(keys)).toEqual(keys.map(() => 200))
  await approve({ video_id, report_type: 'minors' })
  expect(await fetchStatuses(keys)).toEqual(keys.map(() => 404))
  const [row] = await db`select thumbnail_hash is not null as has_hash from videos where id = ${video_id}`
  expect(row).toEqual({ has_hash: true })
})

test('the pictures of a removed video that may be restored stay', async () => {
  const { saves, keys } = await saveWithPictures('spam')
  await approve({ video_id: saves[0]?.video.id ?? 0, report_type: 'spam' })
  expect(await fetchStatuses(keys)).toEqual(keys.map(() => 200))
})

test('if the process dies before the pictures are deleted, a job deletes them', async () => {
  const { saves, keys } = await saveWithPictures('crash')
  const video_id = saves[0]?.video.id ?? 0
  await db`update videos set status = 'removed' where id = ${video_id}`
  await removeVideoPictures(deps, video_id)
  expect(await fetchStatuses(keys)).toEqual(keys.map(() => 404))
  const queued = await db`select from jobs.job where name = 'remove-video-pictures'`
  expect(queued.count).toBeGreaterThan(0)
})

test('a thumbnail that arrives after the removal is not stored', async () => {
  const { saves } = await saveWithPictures('late')
  const [first] = saves
  if (first === undefined) throw new Error('nothing was saved')
  await db`
    update bookmarks set thumbnail_state = 'pending', thumbnail_key = null, thumbnail_large_key = null where id = ${first.id}`
  await approve({ video_id: first.video.id, report_type: 'minors' })
  await db`update bookmarks set thumbnail_state = 'pending' where id = ${first.id}`
  const pending = {
    owner: { bookmark_id: first.id },
    video_id: first.video.id,
    source_url: first.video.source_url,
    thumbnail_source_url: null,
    can_be_standard: true,
  }
  expect(
    await saveThumbnail(db, pending, { small: 'a.webp', large: 'b.webp' }, { shape: null, hash: null }),
  ).toBe(false)
  await fetchAndStoreThumbnail(deps, pending)
  const [row] = await db`select thumbnail_key from bookmarks where id = ${first.id}`
  expect(row).toEqual({ thumbnail_key: null })
})

test('a thumbnail that arrives while the video is being removed for good is not stored', async () => {
  const { saves } = await saveWithPictures('racing')
  const [first] = saves
  if (first === undefined) throw new Error('nothing was saved')
  await db`update bookmarks set thumbnail_state = 'pending' where id = ${first.id}`
  const pending = await findPendingThumbnail(db, { bookmark_id: first.id })
  if (pending === null) throw new Error('no thumbnail is pending')
  const keys = { small: await storePicture(), large: await storePicture() }
  const begun = await db.begin(async (tx) => {
    await tx`update videos set status = 'removed' where id = ${first.video.id}`
    let isDone = false
    const saving = saveThumbnail(db, pending, keys, { shape: null, hash: null }).finally(() => {
      isDone = true
    })
    await sleep(300)
    expect(isDone).toBe(false)
    return { saving }
  })
  expect(await begun.saving).toBe(false)
})

test('the avatar of a user who is banned for good is not found any more', async () => {
  const carol = await signUp(site, 'carol')
  const key = await storePicture()
  await db`update users set avatar_key = ${key} where id = ${carol.id}`
  await approve({ user_id: carol.id, report_type: 'minors' })
  expect(await fetchStatuses([key])).toEqual([404])
})

test('the pictures of a deleted account are queued for deletion', async () => {
  const { owner, saves, keys } = await saveWithPictures('leaver')
  await site.call(deleteAccount, { body: { password: owner.password } }, owner)
  const own = keys.slice(2, 4)
  const queued = await db<{ media_key: string }[]>`select media_key from picture_deletions`
  expect(queued.map(({ media_key }) => media_key)).toEqual(expect.arrayContaining(own))
  expect(saves).toHaveLength(2)
})

const removeMedia = async (operand: string) => {
  const lines: string[] = []
  const env = { DATABASE_URL: site.databaseUrl, DATA_DIR: site.settings.dataDir }
  const print = (text: string) => lines.push(text)
  const code = await runAdmin(['remove-media', operand], env, {
    print,
    printError: print,
    readPassword: async () => '',
  })
  return { code, output: lines.join('\n') }
}

test('an operator removes a thumbnail in both sizes by the address of either, and it is not fetched again', async () => {
  const saved = await saveFilm(site, alice, 'operator')
  const keys = await storeThumbnail('videos', saved.video.id)
  const { code, output } = await removeMedia(`https://reelmark.example/media/${keys[1]}`)
  expect([code, output]).toEqual([
    0,
    `Deleted ${keys[1]} of video ${saved.video.id}, in all sizes. Browsers may show it for a day.`,
  ])
  expect(await fetchStatuses(keys)).toEqual([404, 404])
  expect((await site.call(getBookmark, { params: { id: saved.id } })).video.thumbnail_url).toBeNull()
  const [row] = await db`select thumbnail_state from videos where id = ${saved.video.id}`
  expect(row).toEqual({ thumbnail_state: 'failed' })
  const [entry] = await db`select actor_name, target_kind, target_id, note from audit_log order by id desc`
  expect(entry).toEqual({
    actor_name: 'operator',
    target_kind: 'video',
    target_id: saved.video.id,
    note: keys[1],
  })
})

test('an operator removes an avatar, and a picture that nothing shows', async () => {
  const [avatar, orphan] = [await storePicture(), await storePicture()]
  await db`update users set avatar_key = ${avatar} where id = ${alice.id}`
  expect((await removeMedia(avatar)).code).toBe(0)
  expect((await removeMedia(orphan)).output).toContain('nothing showed it')
  expect(await fetchStatuses([avatar, orphan])).toEqual([404, 404])
  const profile = await site.call(getProfile, { params: { username: 'alice' } })
  expect(profile.avatar_url).toBe('/media/default.jpg')
})

test.each([
  ['an unknown key', createMediaKey(), /^There is no picture [0-9a-f]{40}\.webp\.$/],
  ['another file', 'default.jpg', /^default\.jpg is not the key of a picture\.$/],
  ['a path', '../../etc/passwd', /^\.\.\/\.\.\/etc\/passwd is not the key of a picture\.$/],
])('an operator who names %s gets a one-line error', async (_what, operand, text) => {
  const { code, output } = await removeMedia(operand)
  expect(code).toBe(1)
  expect(output).toMatch(text)
})
