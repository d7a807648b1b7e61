import { listHistory } from '@reelmark/contract/history.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { expect, test } from 'vitest'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { useSite } from '../../testing/use-site.ts'
import { withoutTriggers } from './without-triggers.fixture.ts'

const { site, alice, bob } = await useSite()

test('the history counts up to 10,000 videos exactly, and estimates how many there are of far more', async () => {
  const { db } = site
  const { id } = await saveFilm(site, alice, 'first')
  // The ids of so many videos are spread evenly over all possible ones. The count does not read the bookmarks that represent them.
  const [total, step] = [20_500, 219_687_786_701]
  await withoutTriggers(db, async (tx) => {
    await tx`
      insert into videos (id, canonical_url, source_url, host, lead_bookmark_id)
      select n * ${step}::bigint, 'https://films.example.org/' || n, 'https://films.example.org/' || n, 'films.example.org', ${id}
        from generate_series(1, ${total}::bigint) n`
    await tx`
      insert into watched_videos (user_id, video_id, watched_at)
      select ${bob.id}, id, now() from videos where id % ${step}::bigint = 0`
  })
  await db`analyze videos, watched_videos`
  const hide = (share: number) =>
    withoutTriggers(db, async (tx) => {
      await tx`update videos set status = 'hidden' where id / ${step}::bigint % 100 < ${share}`
    })
  const readCount = async () => {
    const { count, count_is_estimate = false } = await site.call(listHistory, { query: {} }, bob)
    return { count, count_is_estimate }
  }
  const estimate = await readCount()
  expect(estimate.count_is_estimate).toBe(true)
  expect(Math.abs(estimate.count / total - 1)).toBeLessThan(0.02)

  await hide(40)
  expect(await readCount()).toEqual({ count: limits.exactCountMax + 1, count_is_estimate: true })
  await hide(60)
  expect(await readCount()).toEqual({ count: 0.4 * total, count_is_estimate: false })
})
