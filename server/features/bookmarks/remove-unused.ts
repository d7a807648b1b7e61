/**
 * Removes videos and search words that nothing uses any more, and what a video without a public bookmark must not show
 * (docs/decisions/0029-nothing-left-and-nothing-crosses.md). Triggers add the candidates.
 */
import type { Db, Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { hasLead, isShownVideo, isVisible } from '../../shared/visibility.ts'
import { addMissingFacts, copiedFacts } from './copy-facts.ts'

/** How many videos a transaction processes. */
const batchSize = 200
/** How many words a statement looks up: after many saves, a lookup takes 9 ms until the index is vacuumed (measured). */
const wordBatchSize = 50

export function removeUnusedQueue(db: Sql): JobQueue<object> {
  return {
    name: 'remove-unused',
    cron: '* * * * *',
    retries: 0,
    seconds: 600,
    concurrency: 1,
    work: async () => {
      await removeUnused(db)
    },
  }
}

/** Processes all candidates, except videos that other transactions hold a lock on. */
export async function removeUnused(db: Sql): Promise<void> {
  while ((await db.begin(removeUnusedVideos)) > 0);
  while ((await db.begin(removeUnusedWords)) > 0);
}

/**
 * Deletes unused videos among a batch of candidates, and moves the facts of those without a public bookmark to their
 * bookmarks. Skips locked videos instead of waiting: a transaction that inserts a like holds a weak lock on the video and
 * waits for a stronger one, so that waiting for it could deadlock.
 * @returns how many candidates were processed
 */
async function removeUnusedVideos(tx: Db): Promise<number> {
  // Videos that are being merged are left to that job. They are no part of the batch, so that many of them delay no others.
  const candidates = await tx<{ row_id: string; video_id: number }[]>`
    select c.ctid::text as row_id, c.video_id from removal_candidates c
     where c.video_id is not null
       and not exists (select from video_merges m where m.video_id = c.video_id)
       and not exists (select from video_merges m where m.survivor_id = c.video_id)
       -- Savers can return to it.
       and not exists (select from link_replacements l where l.video_id = c.video_id and l.agreed_at is not null)
     limit ${batchSize} for update of c skip locked`
  const videoIds = [...new Set(candidates.map(({ video_id }) => video_id))]
  // A merge may have been requested since.
  const locked = await tx<{ id: number }[]>`
    select id from videos v
     where id = any (${videoIds}::bigint[])
       and not exists (select from video_merges m where m.video_id = v.id or m.survivor_id = v.id)
       and not exists (select from link_replacements l where l.video_id = v.id and l.agreed_at is not null)
     order by id for update of v skip locked`
  const ids = locked.map(({ id }) => id)
  const busy = await tx<{ id: number }[]>`
    select id from videos where id = any (${videoIds}::bigint[]) and id <> all (${ids}::bigint[])`
  const busyIds = new Set(busy.map(({ id }) => id))
  await tx`
    delete from videos v
     where v.id = any (${ids}::bigint[]) and ${isShownVideo(tx)} and v.orientation_ruling is null
       and not v.is_link_only
       and not exists (select from bookmarks b where b.video_id = v.id)
       -- The replacement would be deleted with it, and nothing would remove the old video.
       and not exists (select from link_replacements l where l.survivor_id = v.id)
       and not exists (select from reports r where r.video_id = v.id and r.status = 'open')`
  await moveFacts(tx, ids)
  const processed = candidates.filter(({ video_id }) => !busyIds.has(video_id))
  await tx`
    delete from removal_candidates where ctid = any (${processed.map(({ row_id }) => row_id)}::text[]::tid[])`
  return processed.length
}

/**
 * Moves what the server determined about videos without a public bookmark to their remaining bookmarks. Another user who
 * saves the link privately would otherwise see that it was saved before.
 */
async function moveFacts(tx: Db, videoIds: readonly number[]): Promise<void> {
  const columns = (toSql: (column: string) => string) => tx.unsafe(copiedFacts.map(toSql).join(', '))
  const withFacts = tx`v.id = any (${[...videoIds]}::bigint[]) and not ${hasLead(tx)}
    and num_nonnulls(${columns((column) => `v.${column}`)}) > 0`
  await tx`
    update bookmarks b set ${addMissingFacts(tx, 'b', 'v')}
      from videos v where b.video_id = v.id and ${withFacts}`
  await tx`update videos v set ${columns((column) => `${column} = null`)} where ${withFacts}`
}

/**
 * Deletes the words that no visible bookmark contains, of a batch of candidates, and returns how many candidates were
 * processed. A word that a concurrent save uses at this moment is deleted, too; until the next save with it, a search does
 * not find it by similar words.
 */
async function removeUnusedWords(tx: Db): Promise<number> {
  const processed = await tx`
    with candidates as materialized (
      select ctid, word from removal_candidates where word is not null limit ${wordBatchSize} for update skip locked
    ), recent as materialized (
      -- Most candidates are common words, which are found here without reading the long lists of the index.
      select distinct unnest(tsvector_to_array(newest.search_vector)) as word
        from (select b.search_vector from bookmarks b where ${isVisible(tx)}
               order by b.lead_created_at desc, b.lead_bookmark_id desc limit 500) newest
    ), deleted as (
      delete from search_words
       where word in (select word from candidates except select word from recent)
         and not exists (select from bookmarks b
                          where ${isVisible(tx)} and b.search_vector @@ quote_literal(search_words.word)::tsquery)
    )
    delete from removal_candidates where ctid = any (array(select ctid from candidates))`
  return processed.count
}
