/**
 * Finds existing pictures similar to a permanently refused one
 * (docs/decisions/0023-refused-players-and-existing-pictures.md).
 */
import type { Sql } from '../../../core/database/database.ts'
import { maxHashDistance } from '../../../core/media/perceptual-hash.ts'
import { reportRefusedPicture } from '../reports/automatic-reports.ts'

/** Sent in the transaction that refuses a picture. */
export const hideSimilarPicturesJob = { name: 'hide-similar-pictures' }

/** Videos that one statement looks at: no index finds what is near. */
const batchSize = 20_000

/** Hides those videos and puts them into the queue, once while they wait. @returns how many look like it. */
export async function hideSimilarPictures(db: Sql, hash: string): Promise<number> {
  let found = 0
  let after = 0
  for (;;) {
    const [part] = await db<[{ last: number | null; alike: number[] }]>`
      select max(id) as last,
             coalesce(array_agg(id order by id)
               filter (where status <> 'removed' and bit_count(thumbnail_hash # ${hash}::bit(64)) <= ${maxHashDistance}), '{}') as alike
        from (select id, status, thumbnail_hash from videos where id > ${after} order by id limit ${batchSize}) part`
    for (const id of part.alike) await db.begin((tx) => reportRefusedPicture(tx, id))
    found += part.alike.length
    if (part.last === null) return found
    after = part.last
  }
}
