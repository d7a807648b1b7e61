/** What is here already and nearly looks like what was refused for good (docs/decisions/0023-refused-players-and-existing-pictures.md). */
import type { Fragment, Sql } from '../../../core/database/database.ts'
import { maxHashDistance } from '../../../core/media/perceptual-hash.ts'
import { reportRefusedPicture } from '../reports/automatic-reports.ts'

/** Sent in the transaction that refuses a picture. */
export const hideSimilarPicturesJob = { name: 'hide-similar-pictures' }

/** Rows that one statement compares: no index finds similar hashes. */
const batch = 20_000

/** Hides and reports those videos, once while the report is open. @returns how many it hid. */
export async function hideSimilarPictures(db: Sql, hash: string): Promise<number> {
  const ofVideos = await hideBatches(
    db,
    hash,
    db`select id, id as video_id, null::bigint as bookmark_id, thumbnail_hash from videos`,
  )
  const ofBookmarks = await hideBatches(
    db,
    hash,
    db`select id, video_id, id as bookmark_id, thumbnail_hash from bookmarks where thumbnail_hash is not null`,
  )
  return ofVideos + ofBookmarks
}

async function hideBatches(db: Sql, hash: string, pictures: Fragment): Promise<number> {
  let found = 0
  let after = 0
  for (;;) {
    const [part] = await db<
      [{ last: number | null; similar: { video_id: number; bookmark_id: number | null }[] }]
    >`
      select max(p.id) as last,
             coalesce(json_agg(json_build_object('video_id', p.video_id, 'bookmark_id', p.bookmark_id) order by p.id)
               filter (where bit_count(p.thumbnail_hash # ${hash}::bit(64)) <= ${maxHashDistance}), '[]') as similar
        from (select * from (${pictures}) picture where id > ${after} order by id limit ${batch}) p`
    for (const { video_id, bookmark_id } of part.similar) {
      if (await db.begin((tx) => reportRefusedPicture(tx, video_id, bookmark_id))) found += 1
    }
    if (part.last === null) return found
    after = part.last
  }
}
