/** The feed of followed collections, channels and tags. */

import { blockUser } from '@reelmark/contract/blocks.ts'
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { updateCollection } from '@reelmark/contract/collections.ts'
import {
  followChannel,
  followCollection,
  followTag,
  unfollowCollection,
  unfollowTag,
} from '@reelmark/contract/followed-lists.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { beforeEach, expect, test } from 'vitest'
import { createDestination, saveFilm, type TestDestination } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import { readAllPages } from './read-all-pages.fixture.ts'

const site = await useEmptySite()
let viewer: TestUser
let ana: TestUser
let bob: TestUser
/** A collection of ana's with a channel. */
let films: TestDestination
let round = 0
beforeEach(async () => {
  round += 1
  viewer = await signUp(site, `viewer${round}`)
  ana = await signUp(site, `ana${round}`)
  bob = await signUp(site, `bob${round}`)
  films = await createDestination(site, ana)
})

const save = (user: TestUser, name: string, options: Parameters<typeof saveFilm>[3] = {}) =>
  saveFilm(site, user, `${name}${round}`, options)
const inCollection = () => ({ bookmark: { collection_id: films.collection_id } })
const inChannel = () => ({ bookmark: { channel_id: films.channel_id } })
const tagged = (...tags: string[]) => ({ video: { tags } })
const feed = (query: ListingQuery = {}) =>
  site.call(listVideos, { query: { sort: 'following', ...query } }, viewer)
const idsOf = async (query: ListingQuery = {}) => (await feed(query)).results.map(({ id }) => id)
const follow = {
  collection: () => site.call(followCollection, { params: { id: films.collection_id } }, viewer),
  channel: () => site.call(followChannel, { params: { id: films.channel_id } }, viewer),
  tag: (tag: string) => site.call(followTag, { body: { tag } }, viewer),
  user: ({ id }: TestUser) => site.call(followUser, { params: { id } }, viewer),
}

test('what others save in a followed collection or channel or with a followed tag is listed, newest first', async () => {
  const direct = await save(ana, 'direct', inCollection())
  const tide = await save(bob, 'tide', tagged(`tide${round}`))
  const nested = await save(ana, 'nested', inChannel())
  await save(ana, 'elsewhere')
  await save(bob, 'untagged', tagged('other'))
  await save(viewer, 'own', tagged(`tide${round}`))
  expect(await idsOf()).toEqual([])
  await follow.channel()
  expect(await idsOf()).toEqual([nested.id])
  await follow.tag(`Tide${round}`)
  expect(await idsOf()).toEqual([nested.id, tide.id])
  await follow.collection()
  expect(await feed()).toMatchObject({
    count: 3,
    results: [{ id: nested.id }, { id: tide.id }, { id: direct.id }],
  })
  await site.call(unfollowCollection, { params: { id: films.collection_id } }, viewer)
  await site.call(unfollowTag, { body: { tag: `tide${round}` } }, viewer)
  expect(await idsOf()).toEqual([nested.id])
})

test('a video is listed once, with the number of others who saved it in the feed', async () => {
  await follow.collection()
  await follow.tag(`sea${round}`)
  await follow.user(bob)
  await save(ana, 'shared', inCollection())
  await save(viewer, 'shared', tagged(`sea${round}`))
  const tagging = await signUp(site, `cyd${round}`)
  await save(tagging, 'shared', tagged(`sea${round}`))
  const newest = await save(bob, 'shared')
  await save(await signUp(site, `dora${round}`), 'shared')
  const both = await save(ana, 'both', { ...inChannel(), ...tagged(`sea${round}`) })
  const { count, results } = await feed()
  expect([count, results.map(({ id, other_savers_count }) => [id, other_savers_count])]).toEqual([
    2,
    [
      [both.id, 0],
      [newest.id, 2],
    ],
  ])
})

test('what the viewer must not or does not want to see is not listed', async () => {
  await follow.collection()
  await follow.tag(`sea${round}`)
  await follow.tag(`loud${round}`)
  const visible = await save(ana, 'visible', inCollection())
  const [hidden, secret] = [
    await save(bob, 'secret', tagged(`sea${round}`)),
    await save(ana, 'in private', inCollection()),
  ]
  await site.call(updateBookmark, { params: { id: hidden.id }, body: { access: 'private' } }, bob)
  await save(bob, 'adult', { video: { tags: [`sea${round}`], orientation: 'gay' } })
  await save(bob, 'loud', tagged(`loud${round}`, `sea${round}`))
  expect((await feed({ orientation: 'sfw' })).count).toBe(3)
  await site.call(createMute, { body: { tag: `loud${round}` } }, viewer)
  expect(await idsOf({ orientation: 'sfw' })).toEqual([secret.id, visible.id])
  expect(await idsOf()).toHaveLength(3)
  await site.call(createMute, { body: { user_id: bob.id } }, viewer)
  expect(await idsOf()).toEqual([secret.id, visible.id])
  const setAccess = (access: 'public' | 'private') =>
    site.call(updateCollection, { params: { id: films.collection_id }, body: { access } }, ana)
  await setAccess('private')
  expect(await feed()).toMatchObject({ count: 0, results: [] })
  await setAccess('public')
  expect(await idsOf()).toEqual([secret.id, visible.id])
  await site.call(blockUser, { params: { id: viewer.id } }, ana)
  expect(await idsOf()).toEqual([])
})

test('a user with a hidden profile is in the feed by their public collection and tags, as in Explore', async () => {
  await follow.collection()
  await follow.tag(`sea${round}`)
  const [first, second] = [await save(ana, 'a', inCollection()), await save(ana, 'b', tagged(`sea${round}`))]
  await site.db`update users set profile_visibility = 'only_me' where id = ${ana.id}`
  expect(await idsOf()).toEqual([second.id, first.id])
})

test('all pages and orders of a feed from every kind of source together list each video once', async () => {
  await follow.collection()
  await follow.channel()
  await follow.tag(`sea${round}`)
  await follow.user(bob)
  for (let n = 0; n < 8; n++) {
    await save(ana, `film${n}`, n % 2 === 0 ? inCollection() : inChannel())
    await save(bob, `film${(n * 3) % 8}`)
    await save(await signUp(site, `tagger${round}x${n}`), `film${(n + 5) % 11}`, tagged(`sea${round}`))
  }
  for (const query of [
    { sort: 'following' },
    { following: true, sort: 'random', seed: 3 },
    { sort: 'following', q: 'film' },
    { sort: 'following', q: '-nothing' },
    { sort: 'following', orientation: 'sfw' },
  ] as const) {
    const { ids } = await readAllPages(site, { ...query, page_size: 3 }, viewer)
    const videos = await site.db`select distinct video_id from bookmarks where id = any (${ids})`
    const { count } = await site.call(listVideos, { query }, viewer)
    expect([ids.length, videos.length, count], JSON.stringify(query)).toEqual([11, 11, 11])
  }
})
