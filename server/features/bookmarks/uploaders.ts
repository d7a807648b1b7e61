/** Uploaders of videos: their channels at the hosts (docs/decisions/0081-uploaders.md). */
import type { Extraction } from '@reelmark/contract/extraction.ts'
import { type Db, inlineNumber, type Sql } from '../../core/database/database.ts'
import { hasLead, isInLibraryUnjoined } from '../../shared/visibility.ts'
import { type CompiledRules, isAllowed, uploaderPart } from '../moderation/public-api.ts'
import type { Uploader } from './facts.ts'

/** Returns facts without an uploader that a content rule matches. */
export function withAllowedUploader<F extends Uploader>(facts: F, rules: CompiledRules): F {
  if (facts.uploader_name === null || isAllowed(rules, [uploaderPart(facts)])) return facts
  return { ...facts, uploader_name: null, uploader_url: null }
}

/**
 * Stores the uploader of a video that has none, unless a content rule matches. If the video has no public bookmark, its bookmarks
 * get it instead, because another user who saves the video would otherwise see that it was saved before.
 * @returns whether the video got it, so that what everyone sees changed
 */
export async function storeUploader(
  db: Sql,
  videoId: number,
  found: { uploader_name: string; uploader_url: string | null },
  rules: CompiledRules,
): Promise<boolean> {
  const uploader = withAllowedUploader<Uploader>(found, rules)
  if (uploader.uploader_name === null) return false
  return db.begin(async (tx) => {
    // In the order of all transactions: the video before its bookmarks.
    await tx`select from videos where id = ${videoId} for no key update`
    // Triggers would remove it from the others, and update all their bookmarks at each check.
    const mayHaveUploader = tx`v.id = ${videoId} and not v.is_link_only and not v.is_uploader_removed`
    const { count } = await tx`
      update videos v set ${tx(uploader)} where ${mayHaveUploader} and v.uploader_name is null and ${hasLead(tx)}`
    await tx`
      update bookmarks b set ${tx(uploader)}
        from videos v
       where ${mayHaveUploader} and not ${hasLead(tx)} and b.video_id = v.id and b.uploader_name is null`
    return count > 0
  })
}

/** How many of the newest bookmarks of a user are searched for those of an uploader, and how many of those are counted. */
const [maxSearched, maxCounted] = [2000, 20]

/** Returns where most of the user's newest bookmarks of an uploader at a host are, apart from Watch Later; null without any. */
export async function findUploaderDestination(
  db: Db,
  userId: number,
  { uploaderName, host }: { uploaderName: string; host: string },
): Promise<Extraction['uploader_destination']> {
  const [found] = await db<NonNullable<Extraction['uploader_destination']>[]>`
    with newest as materialized (
      select b.id, b.collection_id, b.channel_id, b.created_at, b.search_vector from bookmarks b
       where b.user_id = ${userId} and ${isInLibraryUnjoined(db)}
       order by b.created_at desc, b.id desc limit ${inlineNumber(db, maxSearched)}
    ), uploaded as (
      select n.* from newest n join collections c on c.id = n.collection_id and not c.is_watch_later
       where n.search_vector @@ (select uploader_query(${uploaderName}) && quote_literal('site:' || ${host}::text)::tsquery)
       order by n.created_at desc, n.id desc limit ${inlineNumber(db, maxCounted)}
    )
    select json_build_object('id', c.id, 'name', c.name) as collection,
           case when ch.id is not null then json_build_object('id', ch.id, 'name', ch.name) end as channel
      from uploaded f join collections c on c.id = f.collection_id left join channels ch on ch.id = f.channel_id
     group by c.id, ch.id order by count(*) desc, max(f.created_at) desc, c.id limit 1`
  return found ?? null
}
