import type { Fragment, Sql } from '../../core/database/database.ts'
import type { TestUser } from '../../testing/test-users.ts'
import { withoutTriggers } from './without-triggers.fixture.ts'

/** SQL expressions of the number `n` of a film. */
interface FilmColumns {
  title: Fragment
  orientation: Fragment
  createdAt: Fragment
  duration: Fragment
  savesCount: Fragment
  likesCount: Fragment
  /** Default: no channel. */
  channelId?: Fragment
}

/** Saves films numbered from `first` to `last` in a collection, those up to `lastPublic` publicly. */
export function saveManyFilms(
  db: Sql,
  { id }: TestUser,
  collection: number,
  { first, last, lastPublic }: { first: number; last: number; lastPublic: number },
  {
    title,
    orientation,
    createdAt,
    duration,
    savesCount,
    likesCount,
    channelId = db`null::bigint`,
  }: FilmColumns,
): Promise<void> {
  const numbers = db`generate_series(${first}::bigint, ${last}::bigint) n`
  return withoutTriggers(db, async (tx) => {
    // Maintaining the indexes takes more than the time of a request on a busy machine.
    await tx`set local statement_timeout = '300s'`
    await tx`
      insert into videos (id, canonical_url, source_url, host, lead_bookmark_id, saves_count, likes_count)
      select n * 219687786701, 'https://films.example.org/' || n, 'https://films.example.org/' || n, 'films.example.org',
             case when n <= ${lastPublic} then n end, ${savesCount}, ${likesCount}
        from ${numbers}`
    await tx`
      insert into bookmarks (id, user_id, video_id, collection_id, channel_id, title, effective_orientation, access, is_public, is_visible,
                             is_listed, lead_bookmark_id, lead_created_at, lead_orientation, lead_duration, effective_duration,
                             random_key, search_vector, created_at)
      overriding system value
      select n, ${id}, n * 219687786701, ${collection}, ${channelId}, ${title}, orientation,
             case when is_public then 'public' else 'private' end, is_public, is_public, is_public,
             case when is_public then n end, case when is_public then at end, case when is_public then orientation end,
             case when is_public then duration end, duration,
             video_random_key(n * 219687786701), to_tsvector('reelmark', 'film ' || n), at
        from (select n, n <= ${lastPublic} as is_public, ${orientation} as orientation, ${duration} as duration,
                     ${createdAt} as at
                from ${numbers}) rows`
  })
}
