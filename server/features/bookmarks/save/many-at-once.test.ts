/** Saving many bookmarks at once on a site that has had few. */
import { expect, test } from 'vitest'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice } = await useSite()

test('many bookmarks saved by one statement do not each read whole tables in triggers', async () => {
  const { collection_id } = await vaultDestination(site, alice)
  for (let film = 0; film < 8; film++) await saveFilm(site, alice, `few-${film}`)
  // The planner now knows that the tables are tiny.
  await site.db`analyze`
  // One scan per row is allowed: PostgreSQL plans the checks of foreign keys itself, and they can still scan a table.
  const scans = await site.db.begin(async (tx) => {
    await tx`
      insert into videos (canonical_url, source_url, host)
      select url, url, 'many.example.org' from generate_series(1, 400) n, lateral (select 'https://many.example.org/' || n as url) v`
    await tx`
      insert into bookmarks (user_id, video_id, collection_id, title, tags)
      select ${alice.id}, id, ${collection_id}, 'Part', array['part ' || id] from videos where host = 'many.example.org'`
    return tx<{ relname: string; seq_scan: number }[]>`
      select relname, seq_scan::int from pg_stat_xact_user_tables
       where relname in ('videos', 'bookmarks', 'users', 'collections', 'tags', 'user_tags') and seq_scan > 1.5 * 400`
  })
  expect(scans).toEqual([])
})
