/** The covers of collections and channels, and the images of their links shared elsewhere. */
import {
  getChannel,
  getCollection,
  listCollections,
  updateChannel,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import {
  createDestination,
  saveFilm,
  type TestDestination,
  vaultDestination,
} from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let destination: TestDestination
let userCount = 0
let films = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  destination = await createDestination(site, alice)
})

const byId = (id: number) => ({ params: { id } })

/** Saves a bookmark to the channel and gives its video thumbnails with the film's number. */
async function saveTo(orientation: Orientation = 'sfw', access: 'public' | 'private' = 'public') {
  films += 1
  const { id, video } = await saveFilm(site, alice, films, {
    video: { orientation },
    bookmark: { channel_id: destination.channel_id, access },
  })
  await site.db`
    update videos set thumbnail_key = ${`s${films}`}, thumbnail_large_key = ${`l${films}`} where id = ${video.id}`
  return { id, small: `/media/s${films}`, large: `/media/l${films}` }
}
const chooseCover = (cover_bookmark_id: number | null) =>
  site.call(updateCollection, { ...byId(destination.collection_id), body: { cover_bookmark_id } }, alice)

describe('the cover of a collection', () => {
  test('has the orientation of its bookmark, as the cover of a channel does', async () => {
    await saveTo()
    const { small } = await saveTo('bi')
    expect(await site.call(getCollection, byId(destination.collection_id))).toMatchObject({
      display_image_url: small,
      display_image_orientation: 'bi',
      channels: [{ imageUrl: small, image_orientation: 'bi' }],
    })
    expect(await site.call(getChannel, byId(destination.channel_id))).toMatchObject({
      imageUrl: small,
      image_orientation: 'bi',
    })
  })

  test('is the one that its owner chose while that bookmark is in the collection, else the newest', async () => {
    const chosen = await saveTo()
    const newest = await saveTo()
    expect(await chooseCover(chosen.id)).toMatchObject({
      display_image_url: chosen.small,
      share_image_url: chosen.large,
      cover_bookmark_id: chosen.id,
    })
    expect(await site.call(getCollection, byId(destination.collection_id))).toMatchObject({
      display_image_url: chosen.small,
      cover_bookmark_id: null,
    })
    await site.db`update bookmarks set deleted_at = now() where id = ${chosen.id}`
    const { results } = await site.call(listCollections, { query: {} }, alice)
    expect(results.find(({ id }) => id === destination.collection_id)).toMatchObject({
      display_image_url: newest.small,
    })
    await site.db`update bookmarks set deleted_at = null where id = ${chosen.id}`
    expect((await chooseCover(null)).display_image_url).toBe(newest.small)
    const channel = { ...byId(destination.channel_id), body: { cover_bookmark_id: chosen.id } }
    expect((await site.call(updateChannel, channel, alice)).imageUrl).toBe(chosen.small)
  })

  test('cannot be a bookmark outside the collection or of another user', async () => {
    const outside = await saveFilm(site, alice, 'elsewhere', {
      bookmark: await vaultDestination(site, alice),
    })
    for (const id of [outside.id, 999_999])
      expect(await failedReply(chooseCover(id))).toEqual({
        status: 400,
        body: { code: 'invalid', cover_bookmark_id: [`Invalid pk "${id}" - object does not exist.`] },
      })
  })

  test('is another one for viewers who may not see the chosen bookmark', async () => {
    const { small } = await saveTo()
    const secret = await saveTo('sfw', 'private')
    await chooseCover(secret.id)
    const expected = { display_image_url: small, channels: [{ imageUrl: small }] }
    expect(await site.call(getCollection, byId(destination.collection_id))).toMatchObject(expected)
    const profile = await site.call(getProfile, { params: { username: alice.username } })
    expect(profile.collections.find(({ id }) => id === destination.collection_id)?.display_image_url).toBe(
      small,
    )
  })

  test('in a shared link is never adult content or a private bookmark', async () => {
    const shareImage = async () =>
      (await site.call(getCollection, byId(destination.collection_id))).share_image_url
    const adult = await saveTo('gay')
    await saveTo('sfw', 'private')
    await chooseCover(adult.id)
    expect(await shareImage()).toBeNull()
    const { large } = await saveTo()
    await saveTo('trans')
    expect(await shareImage()).toBe(large)
    expect((await site.call(getChannel, byId(destination.channel_id))).share_image_url).toBe(large)
  })
})

describe('a profile', () => {
  test('lists the collections that the viewer may see with their channels, in order and with one statement', async () => {
    const secret = await createDestination(site, alice, 'private')
    const profileCollections = async (viewer: TestUser | null) =>
      (await site.call(getProfile, { params: { username: alice.username } }, viewer)).collections
    expect(await profileCollections(null)).toEqual([
      {
        id: expect.any(Number),
        name: 'My Vault',
        description: '',
        access: 'public',
        display_image_url: null,
        display_image_orientation: null,
        channels: [{ id: expect.any(Number), name: 'General' }],
      },
      expect.objectContaining({ id: destination.collection_id, name: 'Another' }),
    ])
    expect((await profileCollections(alice)).map(({ id }) => id)).toContain(secret.collection_id)
    await site.db`insert into collections (user_id, name) select ${alice.id}, 'n' from generate_series(1, 40)`
    expect(await profileCollections(null)).toHaveLength(limits.profileCollectionsMax)
    site.statements.length = 0
    await profileCollections(null)
    expect(site.statements).toHaveLength(1)
  })
})

describe('the pictures of a cover', () => {
  const read = (viewer: TestUser | null = null) =>
    site.call(getCollection, byId(destination.collection_id), viewer)

  test('are the newest four that the viewer may see, or the one that the owner chose', async () => {
    const saved = []
    for (const orientation of ['sfw', 'bi', 'sfw', 'sfw', 'sfw'] as const)
      saved.push(await saveTo(orientation))
    const hidden = await saveTo('sfw', 'private')
    const urls = async (viewer: TestUser | null) => (await read(viewer)).cover_images.map(({ url }) => url)
    const newest = saved.toReversed().map(({ small }) => small)
    expect(await urls(null)).toEqual(newest.slice(0, 4))
    expect(await urls(alice)).toEqual([hidden.small, ...newest.slice(0, 3)])
    expect((await read()).cover_images.map(({ orientation }) => orientation)).toEqual([
      'sfw',
      'sfw',
      'sfw',
      'bi',
    ])
    expect((await read()).channels[0]?.cover_images).toEqual((await read()).cover_images)
    const { results } = await site.call(listCollections, { query: { user: alice.username } })
    expect(results.find(({ id }) => id === destination.collection_id)?.cover_images).toEqual(
      (await read()).cover_images,
    )
    await chooseCover(saved[0]?.id ?? 0)
    expect(await urls(null)).toEqual([saved[0]?.small])
  })

  test('and its total duration and last change contain only what the viewer may see', async () => {
    expect(await read()).toMatchObject({ total_duration: null, cover_images: [] })
    expect((await read()).updated_at).toBe((await read()).created_at)
    const [sfw, adult, own] = [await saveTo(), await saveTo('bi'), await saveTo('sfw', 'private')]
    for (const [index, { id }] of [sfw, adult, own].entries()) {
      await site.db`
        update bookmarks set duration = ${[100, 20, 3][index] ?? 0}, created_at = ${`2031-01-0${index + 1}T00:00:00Z`} where id = ${id}`
    }
    expect(await read()).toMatchObject({ total_duration: 100, updated_at: '2031-01-02T00:00:00.000Z' })
    expect(await read(alice)).toMatchObject({ total_duration: 123, updated_at: '2031-01-03T00:00:00.000Z' })
    await site.db`update users set counts_adult = true where id = ${alice.id}`
    expect(await read(await signUp(site, `bob${userCount}`))).toMatchObject({ total_duration: 120 })
    // 1,000 videos of the longest duration are longer than an integer of PostgreSQL.
    await site.db`update bookmarks set effective_duration = 2000000000 where id = any(${[sfw.id, adult.id, own.id]})`
    expect(await read(alice)).toMatchObject({ total_duration: 6_000_000_000 })
  })
})
