/**
 * Removes videos and search words that nothing uses any more, and what a video without a public bookmark must not show
 * (docs/decisions/0029-nothing-left-and-nothing-crosses.md). Triggers add the candidates.
 */
import type { Db, Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { hasLead, isShownVideo, isVisible } from '../../shared/visibility.ts'
import { factColumns } from './facts.ts'

/** How many candidates a transaction processes. */
const batchSize = 200

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
  const candidates = await tx<{ row_id: string; video_id: number }[]>`
    select ctid::text as row_id, video_id from removal_candidates where video_id is not null
     limit ${batchSize} for update skip locked`
  const videoIds = [...new Set(candidates.map(({ video_id }) => video_id))]
  const locked = await tx<{ id: number }[]>`
    select id from videos where id = any (${videoIds}::bigint[]) order by id for update skip locked`
  const ids = locked.map(({ id }) => id)
  const busy = await tx<{ id: number }[]>`
    select id from videos where id = any (${videoIds}::bigint[]) and id <> all (${ids}::bigint[])`
  const busyIds = new Set(busy.map(({ id }) => id))
  await tx`
    delete from videos v
     where v.id = any (${ids}::bigint[]) and ${isShownVideo(tx)} and v.orientation_ruling is null
       and not exists (select from bookmarks b where b.video_id = v.id)
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
  const withoutLead = tx`v.id = any (${[...videoIds]}::bigint[]) and not ${hasLead(tx)}`
  const facts = factColumns.filter((column) => column !== 'thumbnail_source_url')
  await tx`
    update bookmarks b
       set ${tx.unsafe(facts.map((column) => `${column} = coalesce(b.${column}, v.${column})`).join(', '))},
           -- A thumbnail link that the owner entered stays, and the video's thumbnail is shown until it is fetched.
           thumbnail_source_url = coalesce(b.thumbnail_source_url, v.thumbnail_source_url),
           thumbnail_state = case when b.thumbnail_source_url is null then v.thumbnail_state else b.thumbnail_state end,
           thumbnail_key = coalesce(b.thumbnail_key, v.thumbnail_key),
           thumbnail_large_key = coalesce(b.thumbnail_large_key, v.thumbnail_large_key),
           thumbnail_hash = case when b.thumbnail_key is null then v.thumbnail_hash else b.thumbnail_hash end
      from videos v
     where b.video_id = v.id and ${withoutLead}
       and num_nonnulls(v.thumbnail_key, ${tx.unsafe(factColumns.map((column) => `v.${column}`).join(', '))}) > 0`
  await tx`
    update videos v
       set ${tx.unsafe(factColumns.map((column) => `${column} = null`).join(', '))}, thumbnail_key = null,
           thumbnail_large_key = null, thumbnail_hash = null, thumbnail_state = 'none'
     where ${withoutLead}`
}

/**
 * Deletes the words that no visible bookmark contains, of a batch of candidates, and returns how many candidates were
 * processed. A word that a concurrent save uses at this moment is deleted, too; until the next save with it, a search does
 * not find it by similar words.
 */
async function removeUnusedWords(tx: Db): Promise<number> {
  const processed = await tx`
    with candidates as materialized (
      select ctid, word from removal_candidates where word is not null limit ${batchSize} for update skip locked
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
