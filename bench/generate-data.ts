/**
 * Generates a site of a given size in SQL with triggers disabled, and then computes derived columns and counters as the
 * triggers would. The random numbers are seeded. The distribution follows real sites (few users save much, few words are
 * common): 80 % public, orientations 80/15/5, 3 % hidden, seven videos for ten bookmarks.
 */
import type { Sql, TransactionSql } from '../server/core/database/database.ts'

export interface SiteSize {
  bookmarks: number
  videos: number
  users: number
}

/** Returns the proportions behind the published measurements: a million bookmarks of 50,000 users. */
export function siteSize(bookmarks: number): SiteSize {
  return {
    bookmarks,
    videos: Math.ceil(bookmarks * 0.7),
    users: Math.max(200, Math.ceil(bookmarks / 20)),
  }
}

/**
 * Fills an empty, migrated database; a million bookmarks take some minutes. The connection must be a superuser's, without a
 * statement timeout.
 */
export async function fillDatabase(sql: Sql, size: SiteSize, report: (line: string) => void): Promise<void> {
  const steps: [string, (tx: TransactionSql) => Promise<unknown>][] = [
    ['users', (tx) => addUsers(tx, size)],
    ['words', addWords],
    ['videos', (tx) => addVideos(tx, size)],
    ['bookmarks', (tx) => addBookmarks(tx, size)],
    ['likes and follows', (tx) => addActivity(tx, size)],
    ['counters', addCounters],
  ]
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index
     where indrelid in ('videos'::regclass, 'bookmarks'::regclass, 'likes'::regclass, 'follows'::regclass)
       and not exists (select from pg_constraint where conindid = indexrelid)`
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`set local statement_timeout = 0`
    await tx`set local maintenance_work_mem = '1GB'`
    await tx`set local work_mem = '256MB'`
    await tx`select setseed(0.2611)`
    for (const { name } of indexes) await tx.unsafe(`drop index ${name}`)
    for (const [name, step] of steps) {
      report(name)
      await step(tx)
    }
    for (const { name, definition } of indexes) {
      report(name)
      await tx.unsafe(definition)
    }
  })
  report('vacuum')
  await sql`vacuum (analyze)`
}

async function addUsers(tx: TransactionSql, { users }: SiteSize): Promise<void> {
  await tx`insert into users (username, email)
           select 'person' || n, 'person' || n || '@example.org' from generate_series(1, ${users}::int) n`
  await tx`insert into collections (user_id, name) select id, 'My Vault' from users order by id`
  await tx`insert into channels (collection_id, name) select id, 'General' from collections order by id`
}

/** Adds 20,000 pronounceable words by rank. They are drawn so that the k-th is k times rarer than the first. */
async function addWords(tx: TransactionSql): Promise<void> {
  await tx`
    create temp table vocabulary on commit drop as
    select rank, (select string_agg((array['ba','de','ki','lo','mu','na','re','si','to','vu','pa','ge','fi','ho','lu','ma','ne','ri','so','tu'])
                                    [1 + (rank * 7919 / (20 ^ syllable)::int) % 20], '' order by syllable)
                    from generate_series(0, 2 + rank % 2) syllable) as word
      from generate_series(1, 20000) rank`
  await tx`create index on vocabulary (rank)`
  await tx`analyze vocabulary`
  await tx`insert into search_words select distinct word from vocabulary where length(word) >= 4 order by 1`
  await tx`insert into tags (name) select distinct word from vocabulary where rank <= 2000 order by 1`
}

async function addVideos(tx: TransactionSql, { videos }: SiteSize): Promise<void> {
  await tx`
    create temp table titles on commit drop as
    select n, string_agg(word, ' ') as title
      from (select n, floor(20000 ^ random())::int as rank
              from generate_series(1, ${videos}::int) n, generate_series(1, 3 + n % 5)) drawn
      join vocabulary using (rank)
     group by n`
  await tx`
    create temp table described on commit drop as
    select n as video_id, title, 'site' || floor(300 ^ random())::int || '.example.org' as host,
           case when dice < 0.8 then 'sfw' when dice < 0.95 then 'straight'
                else (array['gay', 'bi', 'trans'])[1 + n % 3] end as orientation
      from (select n, title, random() as dice from titles order by n) numbered`
  await tx`create index on described (video_id)`
  await tx`
    insert into videos (id, canonical_url, source_url, host, shape, duration, status, thumbnail_key, thumbnail_large_key,
                        thumbnail_state, created_at)
    select n, 'https://' || host || '/watch/' || n, 'https://' || host || '/watch/' || n, host, 'landscape', 30 + n % 7200,
           case when random() < 0.03 then 'hidden' else 'visible' end,
           md5(n::text) || '01234567.webp', md5(n::text) || '76543210.webp', 'ready',
           now() - ('1 year'::interval * (1 - n::float8 / ${videos}::int))
      from (select video_id as n, host from described order by video_id) numbered
     order by n`
}

async function addBookmarks(tx: TransactionSql, { bookmarks, videos, users }: SiteSize): Promise<void> {
  // Each video is saved once; the remaining bookmarks are of popular videos. No user saves a video twice.
  await tx`
    create temp table drawn on commit drop as
    select row_number() over (order by n) as id, user_id, video_id, is_public, tags
      from (select array_agg(word order by rank) as all_tags from vocabulary where rank <= 2000) named,
           (select distinct on (user_id, video_id) *
              from (select n, 1 + floor(${users}::int * random() ^ 3)::int as user_id,
                           case when n <= ${videos}::int then n
                                else 1 + floor(${videos}::int * random() ^ 2)::int end as video_id,
                           random() < 0.8 as is_public,
                           array[floor(2000 ^ random())::int, floor(2000 ^ random())::int, floor(2000 ^ random())::int]
                             as tag_ranks
                      from generate_series(1, ${bookmarks}::int) n) all_of
             order by user_id, video_id, n) once,
           lateral (select array(select distinct all_tags[rank] from unnest(tag_ranks) rank) as tags) tagged`
  await tx`
    create temp table leads on commit drop as
    select video_id, min(id) as lead, count(distinct user_id) as savers from drawn where is_public group by video_id`
  await tx`analyze drawn`
  await tx`analyze leads`
  await tx`analyze videos`
  const savedAt = (id: string) => tx.unsafe(`now() - interval '3 years' * (1 - ${id}::float8 / ${bookmarks})`)
  await tx`
    insert into bookmarks (id, user_id, video_id, collection_id, channel_id, title, tags, access, orientation,
                           effective_orientation, is_public, is_visible, is_listed, lead_bookmark_id, lead_created_at,
                           lead_orientation, random_key, search_vector, created_at, updated_at)
    overriding system value
    select d.id, d.user_id, d.video_id, d.user_id, d.user_id, t.title, d.tags,
           case when d.is_public then 'public' else 'private' end, t.orientation, t.orientation, d.is_public,
           shown.is_visible, shown.is_visible and l.lead = d.id, case when shown.is_visible then l.lead end,
           case when shown.is_visible then ${savedAt('l.lead')} end, case when shown.is_visible then t.orientation end,
           video_random_key(d.video_id),
           bookmark_search_vector(t.title, '', d.tags, 'person' || d.user_id, v.host), ${savedAt('d.id')}, ${savedAt('d.id')}
      from drawn d
      join videos v on v.id = d.video_id
      join described t on t.video_id = d.video_id
      left join leads l on l.video_id = d.video_id,
      lateral (select d.is_public and v.status = 'visible' as is_visible) shown
     order by d.id`
  await tx`select setval(pg_get_serial_sequence('bookmarks', 'id'), (select max(id) from bookmarks))`
  await tx`update videos v set lead_bookmark_id = l.lead, saves_count = l.savers from leads l where l.video_id = v.id`
}

async function addActivity(tx: TransactionSql, { videos, users }: SiteSize): Promise<void> {
  await tx`
    insert into likes (user_id, video_id, created_at)
    select distinct on (1, 2) 1 + floor(${users}::int * random() ^ 3)::int, 1 + floor(${videos}::int * random() ^ 2)::int,
           now() - random() * interval '3 years'
      from generate_series(1, ${videos}::int)`
  // The first user follows 500 users, others a dozen.
  await tx`
    insert into follows (follower_id, followee_id, created_at)
    select distinct on (1, 2) follower, followee, now() - random() * interval '3 years'
      from (select case when n <= 500 then 1 else 2 + floor((${users}::int - 1) * random() ^ 2)::int end as follower,
                   2 + floor((${users}::int - 1) * random() ^ 2)::int as followee
              from generate_series(1, ${users}::int * 12) n) pairs
     where follower <> followee`
}

async function addCounters(tx: TransactionSql): Promise<void> {
  await tx`update videos v set likes_count = c.count
             from (select video_id, count(*) from likes group by 1) c where c.video_id = v.id`
  await tx`update users u set followers_count = c.count
             from (select followee_id, count(*) from follows group by 1) c where c.followee_id = u.id`
  await tx`update users u set following_count = c.count
             from (select follower_id, count(*) from follows group by 1) c where c.follower_id = u.id`
  await tx`update tags t set uses_count = c.count, listed_uses_count = c.listed, sfw_uses_count = c.sfw
             from (select tag, count(*), count(*) filter (where is_listed) as listed,
                          count(*) filter (where effective_orientation = 'sfw') as sfw
                     from bookmarks, unnest(tags) tag where is_visible group by 1) c where c.tag = t.name`
  await tx`insert into listing_counts (orientation, count)
           select coalesce(effective_orientation, 'all'), count(*) from bookmarks
            where is_listed group by rollup (effective_orientation)`
}
