/**
 * What the server found when it requested a page for a user. A save within the hour compares it with the submitted values
 * to find out which of them the server determined itself.
 */
import { createHash } from 'node:crypto'
import type { ExtractedVideo } from '@reelmark/contract/extraction.ts'
import { storedUrlMax } from '@reelmark/contract/protocol/limits.ts'
import type { Db, Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { canonicalUrl } from '../../core/video-links/canonical-url.ts'
import type { CompiledRules } from '../moderation/public-api.ts'
import { type Facts, factColumns, noFacts, sentFacts, sentUploader } from './facts.ts'
import { withAllowedUploader } from './uploaders.ts'

/** Stores an extraction, without an uploader that a content rule matches, and replaces the user's earlier one of the same video. */
export async function storeExtraction(
  db: Db,
  userId: number,
  video: ExtractedVideo,
  { ownHosts, rules }: { ownHosts: readonly string[]; rules: CompiledRules },
): Promise<void> {
  const canonical_url = canonicalUrl(video.source_url)
  const found = extractedFacts(video, ownHosts)
  if (canonical_url === null || found === null) return
  const facts = withAllowedUploader(found, rules)
  const canonical_hash = createHash('sha256').update(canonical_url).digest()
  await db`
    insert into extractions ${db({ ...facts, user_id: userId, canonical_hash })}
    on conflict (user_id, canonical_hash) do update set ${db(facts)}, created_at = now()`
}

/** Returns the facts as a save would store them, or null if they contain a player that cannot be saved. */
export function extractedFacts(video: ExtractedVideo, ownHosts: readonly string[]): Facts | null {
  try {
    const facts = {
      ...noFacts,
      ...sentFacts(video, ownHosts),
      ...sentUploader(video, video.source_url),
    }
    const isTooLong = (facts.thumbnail_source_url?.length ?? 0) > storedUrlMax
    return { ...facts, ...(isTooLong ? { thumbnail_source_url: null } : {}) }
  } catch (error) {
    if (error instanceof InvalidFields) return null
    throw error
  }
}

/** Returns what the server found for a user within the last hour, or null. */
export async function findExtraction(db: Db, userId: number, canonicalUrl: string): Promise<Facts | null> {
  const [found] = await db<Facts[]>`
    select ${db.unsafe(factColumns.join(', '))} from extractions
     where user_id = ${userId} and canonical_hash = url_hash(${canonicalUrl})
       and created_at > now() - interval '1 hour'`
  return found ?? null
}

/** The job that deletes extractions after an hour. */
export function extractionsQueue(db: Sql): JobQueue<object> {
  return {
    name: 'remove-old-extractions',
    cron: '*/20 * * * *',
    retries: 0,
    seconds: 60,
    concurrency: 1,
    work: async () => {
      await db`delete from extractions where created_at < now() - interval '1 hour'`
    },
  }
}
