/**
 * Applies the content rules to bookmarks that become public. They were screened when they were saved, but rules may have
 * been made since, and rules are not applied to content that is private.
 */
import type { MetadataTexts } from '@reelmark/contract/video-facts.ts'
import type { Db } from '../../../core/database/database.ts'
import { createYield } from '../../../core/yield.ts'
import { metadataTextColumns } from '../../../shared/bookmark-columns.ts'
import { isPublic } from '../../../shared/visibility.ts'
import { type CompiledRules, findMatches, holdReason } from './match-rules.ts'
import { hasNoRules, metadataParts } from './screen-content.ts'

interface PublishedBookmark extends MetadataTexts {
  id: number
  title: string
  tags: string[]
  source_url: string
  embed_url: string | null
}

/**
 * Runs `publish`, which may make bookmarks public, and holds those that became public and match a rule, also a rule that
 * refuses new content. They are never visible in between, because both steps are part of the transaction `tx`, which has
 * locked the bookmarks. Bookmarks that a moderator released since the rules last changed stay public.
 */
export async function holdPublished<Result>(
  tx: Db,
  rules: CompiledRules,
  ids: readonly number[],
  publish: () => PromiseLike<Result>,
): Promise<Result> {
  if (hasNoRules(rules)) return publish()
  const hidden = await tx<{ id: number }[]>`
    select b.id from bookmarks b where b.id = any (${[...ids]}::bigint[]) and not ${isPublic(tx)}`
  const result = await publish()
  if (hidden.length === 0) return result
  const published = await tx<PublishedBookmark[]>`
    select b.id, b.title, b.tags, v.source_url, b.embed_url, ${metadataTextColumns(tx)}
      from bookmarks b join videos v on v.id = b.video_id
     where b.id = any (${hidden.map(({ id }) => id)}::bigint[]) and ${isPublic(tx)}
       and not exists (select from reports r
                        where r.bookmark_id = b.id and r.reporter_id is null and r.status = 'rejected'
                          and r.decided_at > (select max(updated_at) from content_rules))`
  const reasons = await findHoldReasons(rules, published)
  if (reasons.length > 0) {
    await tx`
      update bookmarks b set hold_reason = held.reason, updated_at = now()
        from json_to_recordset(${JSON.stringify(reasons)}::text::json) as held (id bigint, reason text)
       where b.id = held.id`
  }
  return result
}

async function findHoldReasons(
  rules: CompiledRules,
  bookmarks: readonly PublishedBookmark[],
): Promise<{ id: number; reason: string }[]> {
  const reasons: { id: number; reason: string }[] = []
  const yieldToOthers = createYield()
  for (const { id, source_url, embed_url, ...texts } of bookmarks) {
    const matches = findMatches(rules, [
      { field: 'source_url', link: source_url },
      { field: 'embed_url', link: embed_url },
      ...metadataParts(texts),
    ])
    if (matches.length > 0) reasons.push({ id, reason: holdReason(matches.map(({ rule }) => rule)) })
    await yieldToOthers()
  }
  return reasons
}
