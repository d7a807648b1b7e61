import {
  getBookmark,
  type SaveInput,
  saveBookmark,
  saveBookmarkManually,
} from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { failure, type PersonInTest, signUp } from '../../testing/people.ts'

let site: TestApp
let alice: PersonInTest
let bob: PersonInTest

beforeAll(async () => {
  site = await bootApp()
  alice = await signUp(site, 'alice')
  bob = await signUp(site, 'bob')
})
afterAll(() => site.close())

/** Somebody's first collection and its first channel. */
async function vaultOf(person: PersonInTest) {
  const [row] = await site.db<{ collection_id: number; channel_id: number }[]>`
    select c.id as collection_id, ch.id as channel_id
      from collections c join channels ch on ch.collection_id = c.id where c.user_id = ${person.id} order by ch.id`
  if (row === undefined) throw new Error('no collection')
  return row
}

const film = (n: number | string, more: Partial<SaveInput['video']> = {}): SaveInput['video'] => ({
  source_url: `https://films.example.org/watch/${n}`,
  title: `Film ${n}`,
  ...more,
})

test('a saved video is shown to everyone, with its owner, place and tags', async () => {
  const { channel_id, collection_id } = await vaultOf(alice)
  const saved = await site.call(
    saveBookmark,
    {
      body: {
        video: film(1, { tags: ['Nature', ' nature ', 'Two  Words'], orientation: 'portrait' }),
        bookmark: { channel_id, description: 'Mine' },
      },
    },
    alice,
  )
  expect(saved).toMatchObject({
    title: 'Film 1',
    description: 'Mine',
    access: 'public',
    is_public: true,
    is_owner: true,
    user: { username: 'alice', avatar_url: '/media/default.jpg' },
    collection: { id: collection_id, name: 'My Vault' },
    channel: { id: channel_id, name: 'General' },
    video: {
      host: 'films.example.org',
      orientation: 'sfw',
      shape: 'portrait',
      saves_count: 1,
      status: 'visible',
    },
  })
  expect(saved.tags.map((tag) => tag.name)).toEqual(['nature', 'two words'])
  const seen = await site.call(getBookmark, { params: { id: saved.id } })
  expect(seen).toEqual({ ...saved, is_owner: false })
  const listed = await site.call(listVideos, { query: {} })
  expect(listed.results.map((item) => item.id)).toContain(saved.id)
})

test('saving again in the same place tells where it is', async () => {
  const { channel_id } = await vaultOf(bob)
  const body = { video: film('again'), bookmark: { channel_id } }
  const { id } = await site.call(saveBookmarkManually, { body }, bob)
  expect(await failure(site.call(saveBookmark, { body }, bob))).toEqual({
    status: 409,
    body: { detail: 'You already saved this video here.', bookmark_id: id },
  })
})
