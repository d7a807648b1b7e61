import type { Sql } from '../../core/database/database.ts'
import { isVisible } from '../../shared/visibility.ts'

/** Recounts the visible bookmarks of each collection, which determine the order of suggestions and searches. */
export async function recountCollections(sql: Sql): Promise<void> {
  await sql.begin(async (db) => {
    await db`set local statement_timeout = '200s'`
    // Locks only changed collections, by id like every other transaction that locks several.
    await db`
      with counted as (
        select collection_id as id, count(*)::integer as visible,
               (count(*) filter (where b.effective_orientation = 'sfw'))::integer as sfw
          from bookmarks b where ${isVisible(db)} group by collection_id
      ), changed as (
        select c.id, coalesce(counted.visible, 0) as visible, coalesce(counted.sfw, 0) as sfw
          from collections c left join counted using (id)
         where (c.visible_count, c.visible_sfw_count) <> (coalesce(counted.visible, 0), coalesce(counted.sfw, 0))
         order by c.id for no key update of c
      )
      update collections c set visible_count = changed.visible, visible_sfw_count = changed.sfw from changed where c.id = changed.id`
  })
}
