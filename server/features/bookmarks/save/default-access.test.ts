/** New bookmarks have the default access of their owner if the request names none. */
import {
  getBookmark,
  type SaveInput,
  saveBookmark,
  saveBookmarkManually,
} from '@reelmark/contract/bookmarks.ts'
import { collectBookmark, collectChannel, collectCollection } from '@reelmark/contract/collect.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { expect, test } from 'vitest'
import { createDestination, saveFilm, type TestDestination } from '../../../testing/test-bookmarks.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite()
const source = await createDestination(site, bob)
const bobs = await saveFilm(site, bob, 'collected', { bookmark: source })

interface Named {
  access?: 'public' | 'private'
}

const save = (endpoint: typeof saveBookmark | typeof saveBookmarkManually) => {
  return async ({ channel_id }: TestDestination, named: Named) => {
    const body: SaveInput = {
      video: { source_url: 'https://films.example.org/watch/saved', title: 'Saved' },
      bookmark: { channel_id, ...named },
    }
    await site.call(endpoint, { body }, alice)
  }
}
const into = ({ collection_id, channel_id }: TestDestination, named: Named) => ({
  collection: collection_id,
  channel: channel_id,
  ...named,
})

/** Each saves a bookmark of Alice's to the destination. */
const calls: Record<string, (destination: TestDestination, named: Named) => Promise<unknown>> = {
  saveBookmark: save(saveBookmark),
  saveBookmarkManually: save(saveBookmarkManually),
  collectBookmark: (destination, named) =>
    site.call(collectBookmark, { body: { bookmark: bobs.id, ...into(destination, named) } }, alice),
  collectCollection: (destination, named) =>
    site.call(
      collectCollection,
      { params: { id: source.collection_id }, body: into(destination, named) },
      alice,
    ),
  collectChannel: (destination, named) =>
    site.call(collectChannel, { params: { id: source.channel_id }, body: into(destination, named) }, alice),
}

for (const [name, addTo] of Object.entries(calls)) {
  for (const default_bookmark_access of ['private', 'public'] as const) {
    test(`${name} without an access creates a bookmark that is ${default_bookmark_access} by default`, async () => {
      await site.call(
        updateProfile,
        { params: { username: 'alice' }, body: { default_bookmark_access } },
        alice,
      )
      const other = default_bookmark_access === 'private' ? 'public' : 'private'
      for (const [named, access] of [
        [{}, default_bookmark_access],
        [{ access: other }, other],
      ] as const) {
        const destination = await createDestination(site, alice)
        await addTo(destination, named)
        const query = { channel: destination.channel_id }
        const { results } = await site.call(listVideos, { query }, alice)
        expect(results).toHaveLength(1)
        const created = { params: { id: results[0]?.id ?? 0 } }
        expect(await site.call(getBookmark, created, alice)).toMatchObject({
          access,
          is_public: access === 'public',
        })
        expect((await site.call(listVideos, { query }, bob)).count).toBe(access === 'public' ? 1 : 0)
      }
    })
  }
}
