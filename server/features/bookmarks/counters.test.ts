/** Everything that triggers keep must equal the rows it counts, whatever happens at once. */
import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { keepBookmark } from './queries.ts'
import { planSave } from './rules.ts'

let site: TestApp
/** Users 1 to 40, with a public and a private collection each; made without passwords, to be many quickly. */
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
  return site.db.begin((tx) => keepBookmark(tx, userId, planSave(input, []), input.bookmark))
}

/** Rows where something kept differs from what it is kept of; none is right. */
async function differences() {
  return site.db`
    with states as (
      select b.id, b.user_id, b.video_id, b.tags, b.access = 'public' and c.access = 'public' and b.deleted_at is null as public,
             v.status = 'visible' as shown, v.orientation, b.is_public, b.is_visible, b.is_listed,
             b.orientation as copied, v.lead_bookmark_id
        from bookmarks b join collections c on c.id = b.collection_id join videos v on v.id = b.video_id
    ), leads as (select video_id, min(id) as lead, count(distinct user_id) as savers from states where public group by 1)
    select 'publicity' as what, id from states where public <> is_public
    union all select 'visibility', id from states where (public and shown) <> is_visible
    union all select 'orientation', id from states where orientation <> copied
    union all select 'listing', s.id from states s left join leads l using (video_id)
      where s.is_listed <> (s.public and s.shown and s.id = l.lead)
    union all select 'lead', v.id from videos v left join leads l on l.video_id = v.id
      where v.lead_bookmark_id is distinct from l.lead
    union all select 'saves', v.id from videos v left join leads l on l.video_id = v.id
      where v.saves_count <> coalesce(l.savers, 0)
    union all select 'tag', t.id from tags t
      where t.uses_count <> (select count(*) from states where is_listed and t.name = any (tags))
    union all select 'missing tag', s.id from states s, unnest(s.tags) tag where tag not in (select name from tags)
    union all select 'one listed lead', v.id from videos v join leads l on l.video_id = v.id
      where (v.status = 'visible') <> ((select count(*) from bookmarks b where b.video_id = v.id and b.is_listed) = 1)
    union all select 'words', b.id from bookmarks b
      where b.is_listed and exists (select from unnest(tsvector_to_array(b.search)) word
                                     where word ~ '^[[:alpha:]]{4,30}$' and word not in (select word from search_words))`
}

test('two hundred people save one new video at once: one video, every count right', async () => {
  const { db } = site
  await db`insert into users (username, email) select 'many' || n, 'm' || n || '@example.org' from generate_series(1, 200) n`
  await db`insert into collections (user_id, name) select id, 'v' from users where username like 'many%'`
  const people = await db<{ user_id: number; collection_id: number }[]>`
    select c.user_id, c.id as collection_id from collections c where name = 'v'`
  const outcomes = await Promise.allSettled(
    people.map(({ user_id, collection_id }, index) =>
      saveFor(user_id, {
        video: {
          source_url: 'https://films.example.org/the-one',
          title: 'The one',
          tags: ['shared', `t${index % 7}`],
        },
        bookmark: { collection_id },
      }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  const [video] =
    await db`select count(*)::int as videos, sum(saves_count)::int as saves from videos where title = 'The one'`
  expect(video).toEqual({ videos: 1, saves: 200 })
  expect(await differences()).toEqual([])
})

test('saves, flips, moves, hides, edits and deletions at once leave every count right, and nobody waits in a circle', async () => {
  const { db } = site
  let state = 20_261_121
  const chance = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const someBookmark = () => db`(select id from bookmarks where id % 61 = ${chance(61)} order by id limit 1)`
  const someVideo = () => db`(select id from videos where id % 13 = ${chance(13)} order by id limit 1)`
  const locked = (change: (tx: typeof db, id: number) => Promise<unknown>) =>
    db.begin(async (tx) => {
      const [row] = await tx<{ id: number | null }[]>`select ${someBookmark()} as id`
      if (row?.id == null) return
      await tx`select lock_bookmarks(array[${row.id}::bigint])`
      await change(tx as unknown as typeof db, row.id)
    })
  const deeds: (() => Promise<unknown>)[] = [
    ...Array.from({ length: 4 }, () => async () => {
      const user = 1 + chance(users)
      const place = user * 2 - chance(2)
      await saveFor(user, {
        video: {
          source_url: `https://films.example.org/${chance(25)}`,
          title: `Film ${chance(9)}`,
          tags: [`t${chance(12)}`, `t${chance(12)}`],
        },
        bookmark: {
          ...(chance(2) ? { collection_id: place } : { channel_id: place }),
          access: chance(4) ? 'public' : 'private',
        },
      })
    }),
    () =>
      locked(
        (tx, id) => tx`update bookmarks set access = ${chance(2) ? 'public' : 'private'} where id = ${id}`,
      ),
    () =>
      locked((tx, id) =>
        tx`update bookmarks set deleted_at = ${chance(2) ? new Date() : null} where id = ${id}`.catch(
          duplicate,
        ),
      ),
    () =>
      locked(
        (tx, id) =>
          tx`update bookmarks set tags = ${[`t${chance(12)}`]}, title = ${`Word${'abcdefgh'.charAt(chance(8))}`} where id = ${id}`,
      ),
    () => locked((tx, id) => tx`delete from bookmarks where id = ${id}`),
    () =>
      db`update collections set access = case access when 'public' then 'private' else 'public' end where id = ${1 + chance(users * 2)}`,
    () =>
      db`update videos set status = ${['visible', 'hidden', 'removed'][chance(3)] ?? ''} where id = ${someVideo()}`,
    () => db`update videos set orientation = ${chance(2) ? 'gay' : 'sfw'} where id = ${someVideo()}`,
  ]
  const failures: unknown[] = []
  const worker = async () => {
    for (let turn = 0; turn < 60; turn++) {
      await deeds[chance(deeds.length)]?.().catch((error: unknown) => {
        if (!isExpected(error)) failures.push(error)
      })
    }
  }
  await Promise.all(Array.from({ length: 10 }, worker))
  expect(failures).toEqual([])
  expect(await differences()).toEqual([])
  const [sizes] =
    await db`select (select count(*)::int from bookmarks) as bookmarks, (select count(*)::int from bookmarks where is_listed) as listed`
  expect(sizes?.bookmarks).toBeGreaterThan(50)
  expect(sizes?.listed).toBeGreaterThan(3)

  // And when accounts go, with all they kept.
  await db`delete from users where id % 3 = 0`
  expect(await differences()).toEqual([])
}, 60_000)

/** Saved there already, or the video was removed. */
function isExpected(error: unknown): boolean {
  const status = (error as { status?: number }).status
  return status === 409 || status === 400
}

/** Taken out of the trash where the video was saved again meanwhile. */
function duplicate(error: { code?: string }): void {
  if (error.code !== '23505') throw error
}
