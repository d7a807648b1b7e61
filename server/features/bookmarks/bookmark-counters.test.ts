/** All counters that triggers maintain must equal the rows they count, also after concurrent changes. */
import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counterMismatches } from '../../testing/counter-mismatches.ts'
import { createChance } from '../../testing/create-chance.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveBookmarkInTransaction } from './save/queries.ts'
import { buildSave } from './save/rules.ts'

let site: TestApp
/** Users 1 to 40 have a public and a private collection each. They have no passwords, because hashing is slow. */
const users = 40

beforeAll(async () => {
  site = await bootApp()
  await site.db`insert into users (username, email) select 'u' || n || 'x', n || '@example.org' from generate_series(1, ${users}::int) n`
  await site.db`
    insert into collections (user_id, name, access)
    select id, access, access from users, unnest(array['public', 'private']) access order by id, access desc`
  await site.db`insert into channels (collection_id, name) select id, 'one' from collections`
})
afterAll(() => site.close())

function saveFor(userId: number, input: SaveInput) {
  return site.db.begin((tx) =>
    saveBookmarkInTransaction(tx, userId, buildSave(input, [], 'public'), input.bookmark),
  )
}

test('when two hundred users save the same new video by different links at once, there is one video with correct counters', {
  tags: 'heavy',
}, async () => {
  const { db } = site
  await db`insert into users (username, email) select 'many' || n, 'm' || n || '@example.org' from generate_series(1, 200) n`
  await db`insert into collections (user_id, name) select id, 'v' from users where username like 'many%'`
  const savers = await db<{ user_id: number; collection_id: number }[]>`
    select c.user_id, c.id as collection_id from collections c where name = 'v'`
  const links = [
    'https://youtu.be/dQw4w9WgXcQ?t=3',
    'https://m.youtube.com/watch?v=dQw4w9WgXcQ&utm_source=x',
    'http://www.youtube.com/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/shorts/dQw4w9WgXcQ',
  ]
  const outcomes = await Promise.allSettled(
    savers.map(({ user_id, collection_id }, index) =>
      saveFor(user_id, {
        video: {
          source_url: links[index % links.length] ?? '',
          title: 'The same video',
          tags: ['shared', `t${index % 7}`],
        },
        bookmark: { collection_id },
      }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  const [video] = await db`select count(*)::int as videos, sum(saves_count)::int as saves from videos`
  expect(video).toEqual({ videos: 1, saves: 200 })
  expect(await counterMismatches(site)).toEqual([])
})

test('when forty users like and comment on one video at once, nothing deadlocks and the counters are correct', async () => {
  const { db } = site
  const [video] = await db<{ id: number }[]>`
    insert into videos (canonical_url, source_url, host)
    values ('https://films.example.org/liked', 'https://films.example.org/liked', 'films.example.org')
    returning id`
  const id = video?.id ?? 0
  const outcomes = await Promise.allSettled(
    Array.from({ length: users }, (_, n) => [
      db`insert into likes (user_id, video_id) values (${n + 1}, ${id})`,
      db`insert into comments (user_id, video_id, content) values (${n + 1}, ${id}, 'seen')`,
    ]).flat(),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await counterMismatches(site)).toEqual([])
})

test('concurrent saves, edits, moves and deletions leave all counters correct without a deadlock', {
  tags: 'heavy',
}, async () => {
  const { db } = site
  const chance = createChance(20_261_121)
  const randomBookmark = () =>
    db`(select id from bookmarks where id % 61 = ${chance(61)} order by id limit 1)`
  const randomVideo = () => db`(select id from videos where id % 13 = ${chance(13)} order by id limit 1)`
  const withLock = (change: (tx: typeof db, id: number) => Promise<unknown>) =>
    db.begin(async (tx) => {
      const [row] = await tx<{ id: number | null }[]>`select ${randomBookmark()} as id`
      if (row?.id == null) return
      await tx`select lock_bookmarks(array[${row.id}::bigint])`
      await change(tx as unknown as typeof db, row.id)
    })
  const changes: (() => Promise<unknown>)[] = [
    ...Array.from({ length: 4 }, () => async () => {
      const user = 1 + chance(users)
      const destination = user * 2 - chance(2)
      await saveFor(user, {
        video: {
          source_url: `https://films.example.org/${chance(25)}`,
          title: `Film ${chance(9)}`,
          tags: [`t${chance(12)}`, `t${chance(12)}`],
        },
        bookmark: {
          ...(chance(2) ? { collection_id: destination } : { channel_id: destination }),
          access: chance(4) ? 'public' : 'private',
        },
      })
    }),
    () =>
      withLock(
        (tx, id) => tx`update bookmarks set access = ${chance(2) ? 'public' : 'private'} where id = ${id}`,
      ),
    () =>
      withLock((tx, id) =>
        tx`update bookmarks set deleted_at = ${chance(2) ? new Date() : null} where id = ${id}`.catch(
          ignoreDuplicate,
        ),
      ),
    () =>
      withLock(
        (tx, id) =>
          tx`update bookmarks set tags = ${[`t${chance(12)}`]}, title = ${`Word${'abcdefgh'.charAt(chance(8))}`} where id = ${id}`,
      ),
    () => withLock((tx, id) => tx`delete from bookmarks where id = ${id}`),
    () =>
      db`update collections set access = case access when 'public' then 'private' else 'public' end where id = ${1 + chance(users * 2)}`,
    () =>
      db`update videos set status = ${['visible', 'hidden', 'removed'][chance(3)] ?? ''} where id = ${randomVideo()}`,
    () =>
      db`update videos set orientation_ruling = ${[null, 'gay', 'bi'][chance(3)] ?? null} where id = ${randomVideo()}`,
    () =>
      withLock(
        (tx, id) => tx`update bookmarks set orientation = ${chance(2) ? 'gay' : 'sfw'} where id = ${id}`,
      ),
    () =>
      withLock(
        (tx, id) => tx`update bookmarks set duration = ${[null, 60][chance(2)] ?? null} where id = ${id}`,
      ),
    () => db`update videos set duration = ${[null, 90, 120][chance(3)] ?? null} where id = ${randomVideo()}`,
    () =>
      withLock(
        (tx, id) => tx`
        update bookmarks set hold_reason = ${chance(3) ? null : 'a rule'},
               created_at = now() - ${chance(9)}::int * interval '1 day' where id = ${id}`,
      ),
  ]
  const failures: unknown[] = []
  const worker = async () => {
    for (let step = 0; step < 60; step++) {
      await changes[chance(changes.length)]?.().catch((error: unknown) => {
        if (!isExpected(error)) failures.push(error)
      })
    }
  }
  await Promise.all(Array.from({ length: 10 }, worker))
  expect(failures).toEqual([])
  expect(await counterMismatches(site)).toEqual([])
  const [sizes] =
    await db`select (select count(*)::int from bookmarks) as bookmarks, (select count(*)::int from bookmarks where is_listed) as listed`
  expect(sizes?.bookmarks).toBeGreaterThan(50)
  expect(sizes?.listed).toBeGreaterThan(3)

  // Deleting accounts with everything they saved keeps the counters correct, too.
  await db`delete from users where id % 3 = 0`
  expect(await counterMismatches(site)).toEqual([])
})

/** Returns whether an error is an expected one: the video is already saved in that collection, or was removed. */
function isExpected(error: unknown): boolean {
  const status = (error as { status?: number }).status
  return status === 409 || status === 400
}

/** Ignores the unique violation of restoring a bookmark whose video was saved again in the meantime. */
function ignoreDuplicate(error: { code?: string }): void {
  if (error.code !== '23505') throw error
}
