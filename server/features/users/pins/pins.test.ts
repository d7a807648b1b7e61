/** What users pin to their profiles, and who sees it. */
import { setPins } from '@reelmark/contract/pins.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { markWatched, unmarkWatched } from '@reelmark/contract/watching.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'

const site = await useEmptySite()
const bob = await signUp(site, 'bob')
const moderator = await signUpModerator(site, 'moderator')
let alice: TestUser
let userCount = 0
let films = 0
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
})

const save = (owner: TestUser, bookmark = {}, video = {}) => {
  films += 1
  return saveFilm(site, owner, films, { bookmark, video })
}
const bookmark = (id: number) => ({ kind: 'bookmark' as const, id })
const collection = (id: number) => ({ kind: 'collection' as const, id })
const pin = (pins: { kind: 'bookmark' | 'collection'; id: number }[], user = alice) =>
  site.call(setPins, { body: { pins } }, user)
/** Returns what a viewer sees pinned to alice's profile. */
const seenBy = async (viewer: TestUser | null) => {
  const { pins } = await site.call(getProfile, { params: { username: alice.username } }, viewer)
  return pins.map(({ kind, id }) => ({ kind, id }))
}

test('bookmarks and collections are pinned in an order, which the next list replaces', async () => {
  const first = await save(alice, {}, { orientation: 'bi' })
  const second = await save(alice)
  const { collection_id } = await createDestination(site, alice)
  await site.db`update videos set thumbnail_key = 'picture', thumbnail_large_key = 'large' where id = ${first.video.id}`
  const { pins } = await pin([collection(collection_id), bookmark(second.id), bookmark(first.id)])
  expect(pins).toEqual([
    {
      kind: 'collection',
      id: collection_id,
      title: 'Another',
      images: [],
      is_public: true,
      is_watched: false,
    },
    {
      ...bookmark(second.id),
      title: second.title,
      images: [{ url: null, orientation: 'sfw' }],
      is_public: true,
      is_watched: false,
    },
    {
      ...bookmark(first.id),
      title: first.title,
      images: [{ url: '/media/picture', orientation: 'bi' }],
      is_public: true,
      is_watched: false,
    },
  ])
  for (const viewer of [null, bob, alice, moderator]) {
    const profile = await site.call(getProfile, { params: { username: alice.username } }, viewer)
    const unmarked = pins.map(({ is_watched: _, ...shown }) => shown)
    expect(profile.pins).toEqual(viewer === null ? unmarked : pins)
  }
  await pin([bookmark(first.id), collection(collection_id)])
  expect(await seenBy(null)).toEqual([bookmark(first.id), collection(collection_id)])
  await pin([])
  expect(await seenBy(null)).toEqual([])
})

test('users see which of the pinned bookmarks they watched, in one statement', async () => {
  const seen = await save(alice)
  const unwatched = await save(alice)
  await pin([bookmark(seen.id), bookmark(unwatched.id)])
  for (const viewer of [alice, bob, moderator])
    await site.call(markWatched, { params: { id: seen.video.id } }, viewer)
  const watched = async (viewer: TestUser | null) => {
    const { pins } = await site.call(getProfile, { params: { username: alice.username } }, viewer)
    return pins.map(({ is_watched }) => is_watched)
  }
  expect(await watched(null)).toEqual([undefined, undefined])
  for (const viewer of [alice, bob, moderator]) expect(await watched(viewer)).toEqual([true, false])
  await site.call(unmarkWatched, { params: { id: seen.video.id } }, bob)
  expect(await watched(bob)).toEqual([false, false])
  // A pin that is added later is marked, too.
  const later = await save(alice, {}, {})
  await site.call(markWatched, { params: { id: later.video.id } }, bob)
  expect(await watched(bob)).toEqual([false, false])
  const { pins } = await pin([bookmark(later.id)])
  expect(pins).toMatchObject([{ is_watched: false }])
  expect(await watched(bob)).toEqual([true])
  await site.call(getProfile, { params: { username: alice.username } })
  await site.call(markWatched, { params: { id: unwatched.video.id } }, bob)
  site.statements.length = 0
  await watched(bob)
  // One for the session and one for the marks: the rest is that of visitors.
  expect(site.statements).toHaveLength(2)
})

describe('is refused, and changes nothing:', () => {
  const unknown = 4_000_000_000
  test.each([
    ['what does not exist', async () => [bookmark(unknown), collection(unknown)]],
    ['a bookmark of another user', async () => [bookmark((await save(bob)).id)]],
    [
      'a collection of another user',
      async () => [collection((await createDestination(site, bob)).collection_id)],
    ],
    [
      'a bookmark in the trash',
      async () => {
        const { id } = await save(alice)
        await site.db`update bookmarks set deleted_at = now() where id = ${id}`
        return [bookmark(id)]
      },
    ],
  ])('%s', async (_, createItems) => {
    const { id } = await save(alice)
    await pin([bookmark(id)])
    const items = await createItems()
    expect(await failedReply(pin([bookmark(id), ...items]))).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        pins: items.map((item) => `Invalid pk "${item.id}" - object does not exist.`),
      },
    })
    expect(await seenBy(null)).toEqual([bookmark(id)])
  })

  test('an item twice, and more than the limit', async () => {
    const { id } = await save(alice)
    expect(await failedReply(pin([bookmark(id), bookmark(id)]))).toMatchObject({
      status: 400,
      body: { pins: ['Each item can be pinned once.'] },
    })
    const tooMany = Array.from({ length: limits.pinsMax + 1 }, (_, n) => bookmark(id + n))
    expect(await failedReply(pin(tooMany))).toMatchObject({ status: 400 })
  })
})

describe('others do not see', () => {
  test.each([
    [
      'a private bookmark',
      async (id: number) => site.db`update bookmarks set access = 'private' where id = ${id}`,
    ],
    [
      'a bookmark whose video is under review',
      async (id: number) =>
        site.db`update videos set status = 'hidden' where id = (select video_id from bookmarks where id = ${id})`,
    ],
  ])('%s, and its owner does', async (_, hide) => {
    const { id } = await save(alice)
    const other = await save(alice)
    await pin([bookmark(id), bookmark(other.id)])
    await hide(id)
    for (const viewer of [null, bob, moderator]) expect(await seenBy(viewer)).toEqual([bookmark(other.id)])
    const own = await site.call(getProfile, { params: { username: alice.username } }, alice)
    expect(own.pins).toMatchObject([
      { id, is_public: false },
      { id: other.id, is_public: true },
    ])
  })

  test('a private collection, its bookmarks, and pictures of private bookmarks on its cover', async () => {
    const { collection_id, channel_id } = await createDestination(site, alice)
    const { id, video } = await save(alice, { channel_id, access: 'private' })
    await site.db`update videos set thumbnail_key = 'secret', thumbnail_large_key = 'large' where id = ${video.id}`
    await pin([collection(collection_id), bookmark(id)])
    const profile = await site.call(getProfile, { params: { username: alice.username } }, bob)
    expect(profile.pins).toEqual([
      { ...collection(collection_id), title: 'Another', images: [], is_public: true, is_watched: false },
    ])
    await site.db`update collections set access = 'private' where id = ${collection_id}`
    expect(await seenBy(bob)).toEqual([])
    expect(await seenBy(alice)).toEqual([collection(collection_id), bookmark(id)])
  })

  test('what is in the trash, nor does its owner, until it is restored', async () => {
    const { id } = await save(alice)
    await pin([bookmark(id)])
    await site.db`update bookmarks set deleted_at = now() where id = ${id}`
    for (const viewer of [null, alice]) expect(await seenBy(viewer)).toEqual([])
    await site.db`update bookmarks set deleted_at = null where id = ${id}`
    for (const viewer of [null, alice]) expect(await seenBy(viewer)).toEqual([bookmark(id)])
  })
})

test('what is deleted is no longer pinned', async () => {
  const { id } = await save(alice)
  const { collection_id } = await createDestination(site, alice)
  await pin([bookmark(id), collection(collection_id)])
  await site.db`delete from bookmarks where id = ${id}`
  await site.db`delete from collections where id = ${collection_id}`
  expect(await site.db`select from profile_pins where user_id = ${alice.id}`).toHaveLength(0)
})

test('of concurrent lists, one is pinned as a whole', async () => {
  const saved = []
  for (let n = 0; n < 3; n++) saved.push(bookmark((await save(alice)).id))
  const lists = [saved, saved.toReversed(), saved.slice(0, 2), saved.slice(1)]
  await Promise.all(lists.map((list) => pin(list)))
  expect(lists).toContainEqual(await seenBy(null))
})
