/** The upgrade that replaces the ids of existing videos by ids derived from their links. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Sql } from '../core/database/database.ts'
import { migrate } from '../core/database/migrate.ts'
import { counterMismatches } from '../testing/counter-mismatches.ts'
import { createEarlierDatabase } from '../testing/earlier-database.ts'
import type { TestApp } from '../testing/test-app.ts'
import { slowTimeouts, type TestDatabase } from '../testing/test-database.ts'

let database: TestDatabase
let db: Sql
beforeEach(async () => {
  database = await createEarlierDatabase(10)
  db = connect(database.url, { ...slowTimeouts, max: 2 })
})
afterEach(async () => {
  await db.end({ timeout: 5 })
  await database.drop()
})

test('existing videos get derived ids everywhere, and what nothing uses is queued for removal', async () => {
  await db`insert into users (username, email) values ('alice', 'alice@example.org')`
  await db`insert into collections (user_id, name) values (1, 'My Vault')`
  await db`
    insert into videos (canonical_url, source_url, host)
    select link, link, 'films.example.org' from unnest(array['https://films.example.org/a', 'https://films.example.org/b']) link`
  await db`
    insert into bookmarks (user_id, video_id, collection_id, title, is_public, is_visible, is_listed, lead_bookmark_id,
                           lead_created_at, lead_orientation, tags)
    values (1, 1, 1, 'Film', true, true, true, 1, now(), 'sfw', '{rare}')`
  await db`update bookmarks set lead_created_at = created_at, search_vector = ''`
  await db`update videos set lead_bookmark_id = 1, saves_count = 1, likes_count = 1, comments_count = 1 where id = 1`
  await db`insert into tags (name, uses_count) values ('rare', 1), ('unused', 0)`
  await db`insert into likes (user_id, video_id) values (1, 1)`
  await db`insert into watched_videos (user_id, video_id) values (1, 1)`
  await db`insert into comments (user_id, video_id, content) values (1, 1, 'Good')`
  await db`insert into comments (user_id, video_id, content, parent_id) values (1, 1, 'Very good', 1)`
  await db`update comments set replies_count = 1 where id = 1`
  await db`insert into reports (target_kind, target_id, video_id, report_type) values ('video', 1, 1, 'spam'), ('user', 1, null, 'spam')`
  await db`insert into audit_log (actor_name, action, target_kind, target_id) values ('mod', 'hide', 'video', 1), ('mod', 'ban', 'user', 1)`
  await db`insert into notifications (user_id, kind, video_id) values (1, 'own_video_liked', 1)`
  await db`insert into search_words (word) values ('film')`

  await migrate(database.url)
  const [used, unused] = await db<{ id: number; expected: number }[]>`
    select id, derive_video_id(canonical_url, 0) as expected from videos order by canonical_url`
  expect(used?.id).toBe(used?.expected)
  expect(unused?.id).toBe(unused?.expected)
  expect(used?.id).toBeGreaterThan(2)
  const references = await db`
    select video_id from bookmarks union all select video_id from likes union all select video_id from watched_videos
    union all select video_id from comments union all select video_id from notifications
    union all select video_id from reports where target_kind = 'video'
    union all select target_id from reports where target_kind = 'video'
    union all select target_id from audit_log where target_kind = 'video'`
  expect(references.map(({ video_id }) => video_id)).toEqual(Array(9).fill(used?.id))
  expect(
    await db`select target_id from reports where target_kind = 'user'
                  union all select target_id from audit_log where target_kind = 'user'`,
  ).toEqual([{ target_id: 1 }, { target_id: 1 }])
  expect(await db`select name from tags`).toEqual([{ name: 'rare' }])
  expect(await db`select video_id, word from removal_candidates order by video_id`).toEqual([
    { video_id: unused?.id, word: null },
    { video_id: null, word: 'film' },
  ])
  await db`update bookmarks set title = title`
  expect(await counterMismatches({ db } as TestApp)).toEqual([])
  await expect(db`delete from audit_log`).rejects.toThrow('append-only')
})
