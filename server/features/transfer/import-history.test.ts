/** Watched videos and positions in imports: added to the user's private history if they choose it, reported and undone. */
import { listHistory } from '@reelmark/contract/history.ts'
import { getImport, type ImportOptions, undoImport } from '@reelmark/contract/imports.ts'
import { getPosition } from '@reelmark/contract/playback.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { beforeEach, expect, test } from 'vitest'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import {
  emptyFile,
  exportAccount,
  readReport,
  sampleBookmark,
  startAndFinish,
  waitUntilFinished,
} from './full-account.fixture.ts'
import { importKinds } from './import-queries.ts'
import { uploadFile } from './upload-file.fixture.ts'

const site = await useEmptySite({ work: true })
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

const idOf = (n: number) => `${userCount}`.padStart(8, 'v') + `${n}`.padStart(3, '0')
const link = (n: number) => `https://www.youtube.com/watch?v=${idOf(n)}`
const watched = (n: number, more: object = {}) => ({
  _id: `${n}`,
  videoId: idOf(n),
  title: `Film ${n}`,
  timeWatched: Date.UTC(2024, 0, n),
  watchProgress: 0,
  ...more,
})

async function importContent(content: string, options: ImportOptions, user = alice) {
  const { id } = await uploadFile(site, user, content)
  return startAndFinish(site, user, id, options)
}
const importLines = (documents: object[], options: ImportOptions, user = alice) =>
  importContent(documents.map((document) => JSON.stringify(document)).join('\n'), options, user)
const importOwn = (file: TransferFile, options: ImportOptions, user = alice) =>
  importContent(JSON.stringify(file), options, user)

const history = async (user = alice) =>
  (await site.call(listHistory, { query: {} }, user)).results.map(({ title, watched_at }) => [
    title,
    watched_at.slice(0, 10),
  ])
const positionIn = async (n: number, user = alice) => {
  const [video] = await site.db<{ id: number }[]>`select id from videos where source_url = ${link(n)}`
  return (await site.call(getPosition, { params: { id: video?.id ?? 0 } }, user)).seconds
}
const reportOf = async (id: number) =>
  (await readReport(site, alice, id)).map(({ kind, outcome, reason }) => [kind, outcome, reason])
const pauseHistory = (user: TestUser) =>
  site.call(updateProfile, { params: { username: user.username }, body: { is_history_paused: true } }, user)

test('watched videos are left out unless the user chooses them', async () => {
  const { id } = await importLines([watched(1)], {})
  expect(await reportOf(id)).toEqual([['history', 'skipped', 'You chose not to import watched videos.']])
  expect(await history()).toEqual([])
})

test('they are added to the history with date and position; those that are nowhere here are saved privately', async () => {
  await saveFilm(site, bob, 'public', { video: { source_url: link(2), title: 'Public film of Bob' } })
  const playlist = { playlistName: 'Talks', videos: [{ videoId: idOf(3), title: 'Film 3', timeAdded: 1 }] }
  const documents = [watched(1, { watchProgress: 61.5 }), watched(2), watched(3), watched(1), playlist]
  const { id, outcomes } = await importLines(documents, { history: true, access: 'public' })
  expect(await history()).toEqual([
    ['Film 3', '2024-01-03'],
    ['Public film of Bob', '2024-01-02'],
    ['Film 1', '2024-01-01'],
  ])
  expect(await positionIn(1)).toBe(61)
  expect(await positionIn(2)).toBeNull()
  const { collections, bookmarks } = await exportAccount(site, alice)
  expect(
    bookmarks.map(({ title, access, collection }) => [title, access, collections[collection]?.name]),
  ).toEqual([
    ['Film 1', 'private', 'Watch history'],
    ['Film 3', 'public', 'Talks'],
  ])
  expect(collections.find(({ name }) => name === 'Watch history')?.access).toBe('private')
  // Two collections, two bookmarks, three watched videos and a position; one was watched twice.
  expect(outcomes).toMatchObject({ new: 8, known: 1, skipped: 0, rejected: 0 })
  expect(await history(bob)).toEqual([])

  await site.call(undoImport, { params: { id } }, alice)
  expect(await waitUntilFinished(() => site.call(getImport, { params: { id } }, alice))).toMatchObject({
    state: 'undone',
    outcomes: { undone: 8, retained: 0 },
  })
  expect(await history()).toEqual([])
  expect(await positionIn(1)).toBeNull()
})

test('what the user watched since the import is retained by the undo', async () => {
  const { id } = await importLines([watched(1, { watchProgress: 30 })], { history: true })
  await site.db`update playback_positions set seconds = 40, updated_at = now() where user_id = ${alice.id}`
  await site.call(undoImport, { params: { id } }, alice)
  await waitUntilFinished(() => site.call(getImport, { params: { id } }, alice))
  const kinds = (await readReport(site, alice, id, 'retained')).map(({ kind, reason }) => [kind, reason])
  expect(kinds).toEqual([['position', 'You changed it after the import.']])
})

test('nothing is added while the history is paused, and the report says so', async () => {
  await pauseHistory(alice)
  const paused = ['history', 'skipped', 'Your history is paused.']
  const { id } = await importLines([watched(1), watched(2)], { history: true })
  expect(await reportOf(id)).toEqual([paused, paused])
  const own = await importOwn(
    {
      ...emptyFile,
      bookmarks: [sampleBookmark(link(3))],
      watched: [{ source_url: link(3), watched_at: '2024-05-06T00:00:00Z' }],
      playback_positions: [{ source_url: link(3), seconds: 9, updated_at: '2024-05-06T00:00:00Z' }],
    },
    {},
  )
  expect(own.outcomes).toMatchObject({ skipped: 2, rejected: 0 })
  expect(await site.db`select from watched_videos where user_id = ${alice.id}`).toHaveLength(0)
  expect(await site.db`select from playback_positions where user_id = ${alice.id}`).toHaveLength(0)
})

const ownFile = (): TransferFile => ({
  ...emptyFile,
  profile: { ...emptyFile.profile, is_history_paused: true },
  bookmarks: [sampleBookmark(link(1))],
  watched: [{ source_url: link(1), watched_at: '2024-05-06T00:00:00Z' }],
  playback_positions: [{ source_url: link(1), seconds: 75, updated_at: '2024-05-07T00:00:00Z' }],
})

test('a Reelmark export brings its history and positions, although it pauses the history', async () => {
  expect(await importOwn(ownFile(), {})).toMatchObject({ failed: 0, outcomes: { skipped: 0 } })
  expect(await history()).toEqual([['A film', '2024-05-06']])
  expect(await positionIn(1)).toBe(75)
  const { watched: again, playback_positions, profile } = await exportAccount(site, alice)
  expect(again).toEqual([{ source_url: link(1), watched_at: '2024-05-06T00:00:00.000000Z' }])
  expect(playback_positions).toEqual([
    { source_url: link(1), seconds: 75, updated_at: '2024-05-07T00:00:00.000000Z' },
  ])
  expect(profile.is_history_paused).toBe(true)
})

test('the profile is imported before what its privacy settings hide', () => {
  const after = importKinds.slice(importKinds.indexOf('profile'))
  expect(after).toEqual(expect.arrayContaining(['bookmarks', 'likes', 'following']))
})

test('the history of a Reelmark export can be left out', async () => {
  const { outcomes } = await importOwn(ownFile(), { history: false })
  expect(outcomes.skipped).toBe(2)
  expect(await history()).toEqual([])
})
