/** Finds existing pictures similar to a refused one (docs/decisions/0023-refused-players-and-existing-pictures.md). */
import type { Fragment, Sql } from '../../../core/database/database.ts'
import { maxHashDistance } from '../../../core/media/perceptual-hash.ts'
import { reportRefusedPicture } from '../reports/automatic-reports.ts'

/** Sent in the transaction that refuses a picture. */
export const hideSimilarPicturesJob = { name: 'hide-similar-pictures' }

/** How many rows one statement compares: no index finds similar hashes. */
const batch = 20_000

/** Hides and reports videos with a similar picture and returns how many. Videos with such an open report are skipped. */
export async function hideSimilarPictures(db: Sql, hash: string): Promise<number> {
  const videoCount = await hideBatches(
    db,
    hash,
    db`select id, id as video_id, null::bigint as bookmark_id, thumbnail_hash from videos`,
  )
  const bookmarkCount = await hideBatches(
    db,
    hash,
    db`select id, video_id, id as bookmark_id, thumbnail_hash from bookmarks where thumbnail_hash is not null`,
  )
  return videoCount + bookmarkCount
}

async function hideBatches(db: Sql, hash: string, pictures: Fragment): Promise<number> {
  let hiddenCount = 0
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
      if (await db.begin((tx) => reportRefusedPicture(tx, video_id, bookmark_id))) hiddenCount += 1
    }
    if (part.last === null) return hiddenCount
    after = part.last
  }
}
