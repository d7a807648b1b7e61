/**
 * Applies the content rules to bookmarks that become public. They were screened when they were saved, but rules may have
 * been made since, and rules are not applied to content that is private.
 */
import type { MetadataTexts } from '@reelmark/contract/video-facts.ts'
import type { Db, Fragment, Sql } from '../../../core/database/database.ts'
import { createYield } from '../../../core/yield.ts'
import { bookmarkBatchSize } from '../../../shared/batch-size.ts'
import { metadataTextColumns } from '../../../shared/bookmark-columns.ts'
import { isLinkable, isPublic } from '../../../shared/visibility.ts'
import { type CompiledRules, findMatches, holdReason } from './match-rules.ts'
import { hasNoRules, metadataParts, uploaderPart } from './screen-content.ts'

interface PublishedBookmark extends MetadataTexts {
  id: number
  title: string
  tags: string[]
  source_url: string
  embed_url: string | null
  uploader_name: string | null
  uploader_url: string | null
  /** The texts of its public notes at times in the video. */
  note_texts: string[]
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
  await holdMatching(
    tx,
    rules,
    hidden.map(({ id }) => id),
    isPublic(tx),
  )
  return result
}

/**
 * Holds the bookmarks of a private collection that match a rule, before a secret link shows them. They are reported once they
 * become public, because moderators must not learn about private ones.
 */
export async function holdBeforeLink(db: Sql, rules: CompiledRules, collectionId: number): Promise<void> {
  if (hasNoRules(rules)) return
  const rows = await db<{ id: number }[]>`
    select b.id from bookmarks b join videos v on v.id = b.video_id
     where b.collection_id = ${collectionId} and ${isLinkable(db)} and not ${isPublic(db)}`
  for (let at = 0; at < rows.length; at += bookmarkBatchSize) {
    const ids = rows.slice(at, at + bookmarkBatchSize).map(({ id }) => id)
    await db.begin(async (tx) => {
      await tx`select lock_bookmarks(${ids}::bigint[])`
      await holdMatching(tx, rules, ids, isLinkable(tx))
    })
  }
}

/** Holds the bookmarks `b` that match a rule among those with these ids and this condition. */
async function holdMatching(
  tx: Db,
  rules: CompiledRules,
  ids: readonly number[],
  condition: Fragment,
): Promise<void> {
  const bookmarks = await tx<PublishedBookmark[]>`
    select b.id, b.title, b.tags, v.source_url, b.embed_url, b.uploader_name, b.uploader_url, ${metadataTextColumns(tx)},
           array(select n.text from timed_notes n
                  where n.bookmark_id = b.id and n.user_id = b.user_id and n.access = 'public') as note_texts
      from bookmarks b join videos v on v.id = b.video_id
     where b.id = any (${[...ids]}::bigint[]) and ${condition}
       and not exists (select from reports r
                        where r.bookmark_id = b.id and r.reporter_id is null and r.status = 'rejected'
                          and r.decided_at > (select max(updated_at) from content_rules))`
  const reasons = await findHoldReasons(rules, bookmarks)
  if (reasons.length === 0) return
  await tx`
    update bookmarks b set hold_reason = held.reason, updated_at = now()
      from json_to_recordset(${JSON.stringify(reasons)}::text::json) as held (id bigint, reason text)
     where b.id = held.id`
}

async function findHoldReasons(
  rules: CompiledRules,
  bookmarks: readonly PublishedBookmark[],
): Promise<{ id: number; reason: string }[]> {
  const reasons: { id: number; reason: string }[] = []
  const yieldToOthers = createYield()
  for (const { id, source_url, embed_url, uploader_name, uploader_url, note_texts, ...texts } of bookmarks) {
    const matches = findMatches(rules, [
      { field: 'source_url', link: source_url },
      { field: 'embed_url', link: embed_url },
      uploaderPart({ uploader_name, uploader_url }),
      ...metadataParts(texts),
      ...note_texts.map((text) => ({ field: 'note', text })),
    ])
    if (matches.length > 0) reasons.push({ id, reason: holdReason(matches.map(({ rule }) => rule)) })
    await yieldToOthers()
  }
  return reasons
}
