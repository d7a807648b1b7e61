/** The upgrade after which bookmarks have copies of durations. */
import { expect, test } from 'vitest'
import { connect } from '../core/database/database.ts'
import { migrate } from '../core/database/migrate.ts'
import { createEarlierDatabase } from '../testing/earlier-database.ts'
import { slowTimeouts } from '../testing/test-database.ts'

test('existing bookmarks get their own duration, otherwise the video’s, and that of the lead', async () => {
  const database = await createEarlierDatabase(16)
  const db = connect(database.url, { ...slowTimeouts, max: 2 })
  await db`insert into users (username, email) values ('alice', 'alice@example.org')`
  await db`insert into collections (user_id, name) select 1, n::text from generate_series(1, 3) n`
  await db`
    insert into videos (id, canonical_url, source_url, host, duration) overriding system value
    values (7, 'https://films.example.org/7', 'https://films.example.org/7', 'films.example.org', 90)`
  await db`
    insert into bookmarks (user_id, video_id, collection_id, title, duration, is_public, is_visible)
    values (1, 7, 1, 'lead', 60, true, true), (1, 7, 2, 'other', null, true, true), (1, 7, 3, 'hidden', null, false, false)`
  await db`update videos set lead_bookmark_id = 1`

  await migrate(database.url)
  expect(await db`select title, effective_duration, lead_duration from bookmarks order by id`).toEqual([
    { title: 'lead', effective_duration: 60, lead_duration: 60 },
    { title: 'other', effective_duration: 90, lead_duration: 60 },
    { title: 'hidden', effective_duration: 90, lead_duration: null },
  ])
  await db.end({ timeout: 5 })
  await database.drop()
})
