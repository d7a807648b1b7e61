/** The shelves of the home page: each contains what its viewer may see, latest first. */
import { blockUser } from '@reelmark/contract/blocks.ts'
import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import { followCollection } from '@reelmark/contract/followed-lists.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { getHome, type Home } from '@reelmark/contract/home.ts'
import { recordEnd, savePosition } from '@reelmark/contract/playback.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { beforeEach, expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'

const site = await useEmptySite()
let viewer: TestUser
let ana: TestUser
let bob: TestUser
let round = 0
beforeEach(async () => {
  round += 1
  viewer = await signUp(site, `viewer${round}`)
  ana = await signUp(site, `ana${round}`)
  bob = await signUp(site, `bob${round}`)
})

const save = (user: TestUser, name: string, options: Parameters<typeof saveFilm>[3] = {}) =>
  saveFilm(site, user, `${name}${round}`, options)
const home = (orientation?: 'sfw') =>
  site.call(getHome, { query: { ...(orientation && { orientation }) } }, viewer)
const titles = (items: Home[keyof Home]) => items.map(({ title }) => title.replace(`${round}`, ''))
const stopAt = (id: number, seconds: number) =>
  site.call(savePosition, { params: { id }, body: { seconds } }, viewer)
const empty: Home = { continue_watching: [], following: [], watch_later: [], recently_saved: [] }

test('a new user has empty shelves', async () => {
  expect(await home()).toEqual(empty)
})

test('videos that were started are listed with their position, latest first, until they end', async () => {
  const [first, second] = [await save(ana, 'first'), await save(ana, 'second')]
  await stopAt(first.video.id, 40)
  await stopAt(second.video.id, 90)
  expect((await home()).continue_watching).toMatchObject([
    { id: second.id, position_seconds: 90, user_username: ana.username, is_watched: false },
    { id: first.id, position_seconds: 40 },
  ])
  await stopAt(first.video.id, 50)
  expect(titles((await home()).continue_watching)).toEqual(['Film first', 'Film second'])
  await site.call(recordEnd, { params: { id: first.video.id } }, viewer)
  expect(titles((await home()).continue_watching)).toEqual(['Film second'])
  await site.call(blockUser, { params: { id: ana.id } }, viewer)
  expect((await home()).continue_watching).toEqual([])
})

test('the feed contains what followed users and collections save, without hidden users', async () => {
  const films = await createDestination(site, bob)
  await site.call(followUser, { params: { id: ana.id } }, viewer)
  await site.call(followCollection, { params: { id: films.collection_id } }, viewer)
  await save(ana, 'by ana')
  await save(ana, 'private', { bookmark: { access: 'private' } })
  await save(bob, 'elsewhere')
  await save(bob, 'in films', { bookmark: { collection_id: films.collection_id } })
  expect(titles((await home()).following)).toEqual(['Film in films', 'Film by ana'])
  await site.call(blockUser, { params: { id: viewer.id } }, ana)
  expect(titles((await home()).following)).toEqual(['Film in films'])
})

test('Watch Later and recently saved bookmarks are apart, and what is in the trash is in neither', async () => {
  const later = await save(ana, 'later')
  await site.call(toggleWatchLater, { params: { id: later.video.id } }, viewer)
  await save(viewer, 'older')
  const deleted = await save(viewer, 'deleted')
  await save(viewer, 'newer', { bookmark: { access: 'private' }, video: { orientation: 'gay' } })
  await site.call(trashBookmark, { params: { id: deleted.id } }, viewer)
  const found = await home()
  expect(titles(found.watch_later)).toEqual(['Film later'])
  expect(titles(found.recently_saved)).toEqual(['Film newer', 'Film older'])
  expect(titles((await home('sfw')).recently_saved)).toEqual(['Film older'])
})

test('a shelf contains the newest 12', async () => {
  for (let n = 0; n < limits.shelfMax + 2; n++) await save(viewer, `${n}-`)
  const { recently_saved: saved } = await home()
  expect(saved).toHaveLength(limits.shelfMax)
  expect(saved[0]?.title).toBe(`Film ${limits.shelfMax + 1}-${round}`)
})
