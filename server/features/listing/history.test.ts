import { listHistory } from '@reelmark/contract/history.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { expect, test } from 'vitest'
import { vaultDestination } from '../../testing/test-bookmarks.ts'
import { useSite } from '../../testing/use-site.ts'
import { saveManyFilms } from './many-films.fixture.ts'

const { site, alice, bob } = await useSite()

test('the history counts up to 10,000 videos exactly, and estimates how many there are of far more', {
  tags: 'heavy',
}, async () => {
  const { db } = site
  const { collection_id } = await vaultDestination(site, alice)
  // The ids of so many videos are spread evenly over all possible ones.
  const total = 20_500
  await saveManyFilms(
    db,
    alice,
    collection_id,
    { first: 1, last: total, lastPublic: total },
    {
      title: db`'Film ' || n`,
      orientation: db`'sfw'`,
      createdAt: db`now() - n * interval '1 minute'`,
      duration: db`100`,
      savesCount: db`1`,
      likesCount: db`0`,
    },
  )
  await db`insert into watched_videos (user_id, video_id, watched_at) select ${bob.id}, id, now() from videos`
  await db`analyze bookmarks, videos, watched_videos`
  const hide = (share: number) =>
    db`update videos set status = 'hidden' where lead_bookmark_id % 100 < ${share}`
  const count = async () => {
    const { count, count_is_estimate = false } = await site.call(listHistory, { query: {} }, bob)
    return { count, count_is_estimate }
  }
  const estimate = await count()
  expect(estimate.count_is_estimate).toBe(true)
  expect(Math.abs(estimate.count / total - 1)).toBeLessThan(0.02)

  await hide(40)
  expect(await count()).toEqual({ count: limits.exactCountMax + 1, count_is_estimate: true })
  await hide(60)
  expect(await count()).toEqual({ count: 0.4 * total, count_is_estimate: false })
})
