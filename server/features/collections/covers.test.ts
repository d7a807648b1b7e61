/** What stands for a collection or channel where it is shown as a picture. */
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
let people = 0
let films = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `alice${people}`)
  destination = await createDestination(site, alice)
})

const byId = (id: number) => ({ params: { id } })

/** A bookmark in the channel whose video has pictures, named by its number. */
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
const choose = (cover_bookmark_id: number | null) =>
  site.call(updateCollection, { ...byId(destination.collection_id), body: { cover_bookmark_id } }, alice)

describe('the picture of a collection', () => {
  test('says what it is about, as that of a channel does', async () => {
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

  test('is the one that its owner chose, while it is in there, else the newest', async () => {
    const chosen = await saveTo()
    const newest = await saveTo()
    expect(await choose(chosen.id)).toMatchObject({
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
    expect((await choose(null)).display_image_url).toBe(newest.small)
    const channel = { ...byId(destination.channel_id), body: { cover_bookmark_id: chosen.id } }
    expect((await site.call(updateChannel, channel, alice)).imageUrl).toBe(chosen.small)
  })

  test('is of nothing that is not in it, nor of anybody else’s', async () => {
    const other = await saveFilm(site, alice, 'elsewhere', { bookmark: await vaultDestination(site, alice) })
    for (const id of [other.id, 999_999])
      expect(await failedReply(choose(id))).toEqual({
        status: 400,
        body: { code: 'invalid', cover_bookmark_id: [`Invalid pk "${id}" - object does not exist.`] },
      })
  })

  test('is nobody’s who may not see its bookmark', async () => {
    const { small } = await saveTo()
    const secret = await saveTo('sfw', 'private')
    await choose(secret.id)
    const shown = { display_image_url: small, channels: [{ imageUrl: small }] }
    expect(await site.call(getCollection, byId(destination.collection_id))).toMatchObject(shown)
    const profile = await site.call(getProfile, { params: { username: alice.username } })
    expect(profile.collections.find(({ id }) => id === destination.collection_id)?.display_image_url).toBe(
      small,
    )
  })

  test('that is shared is never of adult content, nor of what only its owner sees', async () => {
    const share = async () =>
      (await site.call(getCollection, byId(destination.collection_id))).share_image_url
    const adult = await saveTo('gay')
    await saveTo('sfw', 'private')
    await choose(adult.id)
    expect(await share()).toBeNull()
    const { large } = await saveTo()
    await saveTo('trans')
    expect(await share()).toBe(large)
    expect((await site.call(getChannel, byId(destination.channel_id))).share_image_url).toBe(large)
  })
})

describe('a profile', () => {
  test('names the collections that one may see, with their channels, in their order', async () => {
    const secret = await createDestination(site, alice, 'private')
    const ask = async (who: TestUser | null) =>
      (await site.call(getProfile, { params: { username: alice.username } }, who)).collections
    expect(await ask(null)).toEqual([
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
    expect((await ask(alice)).map(({ id }) => id)).toContain(secret.collection_id)
    await site.db`insert into collections (user_id, name) select ${alice.id}, 'n' from generate_series(1, 40)`
    expect(await ask(null)).toHaveLength(limits.profileCollectionsMax)
    site.statements.length = 0
    await ask(null)
    expect(site.statements).toHaveLength(1)
  })
})
