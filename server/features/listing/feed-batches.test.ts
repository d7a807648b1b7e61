/** Feeds of many bookmarks, which are read in several batches, compared with a plain model. */
import { listVideos } from '@reelmark/contract/listing.ts'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import { withoutTriggers } from './without-triggers.fixture.ts'

const site = await useEmptySite()
const [userCount, videoCount] = [40, 150]
/** The newest saves are all of one video. */
const viralSaves = 1400
let viewer: TestUser

interface Save {
  id: number
  user_id: number
  video_id: number
  orientation: string
  tags: string[]
}
/** All saves, newest first. */
let saves: Save[]
let followed: Set<number>

beforeAll(async () => {
  viewer = await signUp(site, 'viewer')
  await withoutTriggers(site.db, async (tx) => {
    await tx`
      insert into users (id, username, email) overriding system value
      select 1000 + n, 'saver' || n, n || '@example.net' from generate_series(1, ${userCount + viralSaves}::int) n`
    await tx`insert into collections (id, user_id, name) overriding system value
      select id, id, 'c' from users where id > 1000`
    await tx`
      insert into videos (id, canonical_url, source_url, host, lead_bookmark_id, saves_count)
      select n, 'https://films.example.org/' || n, 'https://films.example.org/' || n, 'films.example.org', 1,
             case when n = 1 then ${viralSaves} else 1 end
        from generate_series(1, ${videoCount}::int) n`
    // Savers save several videos each, several saves at the same time. Then many other users save the first video.
    await tx`
      insert into bookmarks (id, user_id, video_id, collection_id, title, effective_orientation, orientation, is_public,
                             is_visible, random_key, created_at, lead_created_at, lead_orientation, lead_bookmark_id, tags,
                             search_vector)
      overriding system value
      select n, saver, video, saver, 'Film', orientation, orientation, true, true, video_random_key(video), at, at, orientation,
             n, tags, case when tags = '{}' then '' else array_to_tsvector(array['tag:sea']) end
        from (select chosen.*, case when n % 13 = 0 then '{sea}'::text[] else '{}' end as tags
                from (select n, 1001 + abs(hashint8(n) % 97) % ${userCount}::int as saver,
                     1 + abs(hashint8(n * 7) % 1009) % ${videoCount}::int as video,
                     (array['sfw', 'gay'])[1 + abs(hashint8(n * 11) % 2)] as orientation,
                     timestamptz '2026-01-01' + n / 3 * interval '1 minute' as at
                from generate_series(1::bigint, 2500) n
              union all
              select 2500 + n, ${1000 + userCount}::bigint + n, 1, 'sfw',
                     timestamptz '2026-02-01' + n / 3 * interval '1 minute'
                from generate_series(1::bigint, ${viralSaves}::int) n) chosen) tagged
      on conflict do nothing`
    await tx`
      insert into follows (follower_id, followee_id)
      select ${viewer.id}, id from users where id > 1000 and (id <= ${1000 + userCount} and id % 4 <> 0 or id % 10 = 0)`
  })
  await site.db`vacuum analyze`
  saves = await site.db<Save[]>`
    select id, user_id, video_id, orientation, tags from bookmarks order by created_at desc, id desc`
  followed = new Set(
    (
      await site.db<{ id: number }[]>`
      select followee_id as id from follows where follower_id = ${viewer.id}`
    ).map(({ id }) => id),
  )
})

/** The collections that the viewer may follow: each user has one, with the id of the user. */
const followedCollections = [1004, 1008, 1012, 1012 + userCount]

/** Returns the feed: each video by its newest save. */
function expectedFeed(
  isListed: (save: Save) => boolean,
  lists: boolean,
): { id: number; other_savers_count: number }[] {
  const isFollowed = ({ user_id, tags }: Save) =>
    followed.has(user_id) || (lists && (followedCollections.includes(user_id) || tags.includes('sea')))
  const listed = saves.filter((save) => isFollowed(save) && isListed(save))
  const savers = new Map<number, Set<number>>()
  for (const { video_id, user_id } of listed) {
    savers.set(video_id, (savers.get(video_id) ?? new Set()).add(user_id))
  }
  const newest = new Map<number, number>()
  for (const { id, video_id } of listed) if (!newest.has(video_id)) newest.set(video_id, id)
  return [...newest].map(([video, id]) => ({
    id,
    other_savers_count: Math.min((savers.get(video)?.size ?? 1) - 1, 99),
  }))
}

const cases = fc.record({
  // As many as the viewer follows, and so many that the newest bookmarks of all users are read.
  following_count: fc.constantFrom(null, 260, 600, 10_000),
  page_size: fc.constantFrom(4, 25, 100),
  orientation: fc.constantFrom('all' as const, 'sfw' as const, 'gay' as const),
  muted: fc.boolean(),
  /** Whether the viewer follows collections and a tag. */
  lists: fc.boolean(),
})

test('any feed lists each video once, by the newest save, forwards and backwards', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ following_count, page_size, orientation, muted, lists }) => {
      const mutedUser = 1001
      await site.db`update users set following_count = ${following_count ?? followed.size} where id = ${viewer.id}`
      await site.db`delete from mutes`
      await site.db`delete from followed_lists`
      if (lists) {
        await site.db`
          insert into followed_lists (user_id, collection_id) select ${viewer.id}, unnest(${followedCollections}::bigint[])`
        await site.db`insert into followed_lists (user_id, tag) values (${viewer.id}, 'sea')`
      }
      if (muted) await site.db`insert into mutes (user_id, muted_id) values (${viewer.id}, ${mutedUser})`
      const expected = expectedFeed(
        (save) =>
          (orientation === 'all' || save.orientation === orientation) &&
          !(muted && save.user_id === mutedUser),
        lists,
      )
      const query = { sort: 'following', page_size, orientation } as const
      const headers = { authorization: `Bearer ${viewer.access}` }
      const rowsOf = ({ results }: { results: { id: number; other_savers_count?: number }[] }) =>
        results.map(({ id, other_savers_count }) => ({ id, other_savers_count }))
      let page = await site.call(listVideos, { query }, viewer)
      const { count } = page
      const forwards = rowsOf(page)
      while (page.next !== null) {
        page = (await site.app.inject({ url: page.next, headers })).json()
        forwards.push(...rowsOf(page))
      }
      expect(forwards).toEqual(expected)
      expect(count).toBe(expected.length)
      const backwards = rowsOf(page)
      while (page.previous !== null) {
        page = (await site.app.inject({ url: page.previous, headers })).json()
        backwards.unshift(...rowsOf(page))
      }
      expect(backwards).toEqual(expected)
    }),
    { numRuns: 10, seed: 7 },
  )
})
