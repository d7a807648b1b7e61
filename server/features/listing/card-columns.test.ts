import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { listSimilar, listVideos } from '@reelmark/contract/listing.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { expect, test } from 'vitest'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import type { TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'

const { site, alice, bob } = await useSite()

test('cards show signed-in viewers what they liked, watched and saved for later, and visitors nothing of it', async () => {
  const created = await saveFilm(site, alice, 1)
  const other = await saveFilm(site, alice, 2)
  const marks = async (viewer: TestUser | null) => {
    const listed = await site.call(listVideos, { query: { user: 'alice' } }, viewer)
    const similar = await site.call(listSimilar, { params: { id: other.id } }, viewer)
    const found = [listed, similar].map(({ results }) => results.find(({ id }) => id === created.id))
    return found.map((item) => [item?.is_liked, item?.is_watched, item?.is_in_watch_later])
  }
  const inBothLists = (...expected: (boolean | undefined)[]) => [expected, expected]
  expect(await marks(bob)).toEqual(inBothLists(false, false, false))
  const video = { params: { id: created.video.id } }
  await site.call(toggleLike, video, bob)
  await site.call(markWatched, video, bob)
  await site.call(toggleWatchLater, video, bob)
  expect(await marks(bob)).toEqual(inBothLists(true, true, true))
  expect(await marks(alice)).toEqual(inBothLists(false, false, false))
  expect(await marks(null)).toEqual(inBothLists(undefined, undefined, undefined))
  // Removed from Watch Later: the bookmark is in the trash.
  await site.call(toggleWatchLater, video, bob)
  expect(await marks(bob)).toEqual(inBothLists(true, true, false))
  site.statements.length = 0
  await site.call(listVideos, { query: {} }, bob)
  // One for the session and one for the list.
  expect(site.statements).toHaveLength(2)
})
