/** Queries for content rules, and the preview of what a rule matches. */

import type { ContentRule, RuleEffect, RuleKind } from '@reelmark/contract/content-rules.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { MetadataTexts } from '@reelmark/contract/video-facts.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { createYield } from '../../../core/yield.ts'
import { metadataTextColumns } from '../../../shared/bookmark-columns.ts'
import { userSummary } from '../../../shared/user-columns.ts'
import { isVisible, isVisibleComment, isVisibleVideo } from '../../../shared/visibility.ts'
import { compileRules, findMatches, normaliseText, type ScreenedPart } from './match-rules.ts'
import { metadataParts, usernamePart } from './screen-content.ts'

/** Columns of rules `r`. */
function columns(db: Db): Fragment {
  return db`r.id, r.kind, r.pattern, r.effect, r.note, r.created_at, r.updated_at,
    case when m.id is not null then ${userSummary(db, 'm')} end as created_by`
}

export interface RuleFilters {
  kind?: RuleKind
  search?: string
}

/** Returns content rules, the newest first, and their number. One statement. */
export async function listContentRules(
  db: Db,
  { kind, search = '' }: RuleFilters,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: ContentRule[] }> {
  const text = normaliseText(search).trim()
  const where = db`true ${kind === undefined ? db`` : db`and r.kind = ${kind}`}
    ${text === '' ? db`` : db`and position(${text} in r.pattern) > 0`}`
  const rows = await db<(ContentRule & { count: number })[]>`
    select total.count, page.*
      from (select count(*) as count from content_rules r where ${where}) total
      left join (select ${columns(db)} from content_rules r left join users m on m.id = r.created_by
                  where ${where} order by r.id desc limit ${size} offset ${skip}) page on true
     order by page.id desc`
  return splitCount(rows)
}

/** Returns a content rule. @throws ApiError('not-found') */
export async function readContentRule(db: Db, id: number): Promise<ContentRule> {
  const [rule] = await db<ContentRule[]>`
    select ${columns(db)} from content_rules r left join users m on m.id = r.created_by where r.id = ${id}`
  if (rule === undefined) throw new ApiError('not-found')
  return rule
}

/** Creates a content rule and returns its id. @throws ApiError('rule-exists') with its `rule_id`, ('limit-reached'). */
export async function createContentRule(
  db: Db,
  moderatorId: number,
  rule: { kind: RuleKind; pattern: string; effect: RuleEffect; note: string },
): Promise<number> {
  const { kind, pattern, effect, note } = rule
  const [created] = await db<{ id: number }[]>`
    insert into content_rules (kind, pattern, effect, note, created_by)
    select ${kind}, ${pattern}, ${effect}, ${note}, ${moderatorId}
     where (select count(*) from content_rules) < ${limits.rulesMax}
    on conflict (kind, pattern) do nothing returning id`
  if (created !== undefined) return created.id
  const rule_id = await findContentRule(db, kind, pattern)
  throw rule_id === null ? new ApiError('limit-reached') : new ApiError('rule-exists', { rule_id })
}

/** Returns the id of the rule with this pattern, or null. */
export async function findContentRule(db: Db, kind: RuleKind, pattern: string): Promise<number | null> {
  const [existing] = await db<{ id: number }[]>`
    select id from content_rules where kind = ${kind} and pattern = ${pattern}`
  return existing?.id ?? null
}

/** Updates a rule and returns its previous effect and note. @throws ApiError('not-found') */
export async function updateContentRule(
  db: Db,
  id: number,
  changes: { effect?: RuleEffect; note?: string },
): Promise<{ effect: RuleEffect; note: string }> {
  const [before] = await db<{ effect: RuleEffect; note: string }[]>`
    select effect, note from content_rules where id = ${id} for no key update`
  if (before === undefined) throw new ApiError('not-found')
  await db`update content_rules set ${db({ ...before, ...changes })}, updated_at = now() where id = ${id}`
  return before
}

/** Deletes a rule and returns what it was. @throws ApiError('not-found') */
export async function deleteContentRule(db: Db, id: number): Promise<Record<string, unknown>> {
  const [removed] = await db<Record<string, unknown>[]>`
    delete from content_rules where id = ${id} returning kind, pattern, effect, note`
  if (removed === undefined) throw new ApiError('not-found')
  return removed
}

/** How many rows of each kind a preview scans, the newest first; and in batches of how many. */
const maxScanned = 20_000
const scanBatch = 500
/** Milliseconds for each kind of row: on a busy machine a preview scans fewer rows and reports how many. */
const maxScanMs = 600
const maxExamples = 5

interface RulePreview<Row> {
  matched: number
  scanned: number
  examples: Row[]
}

/**
 * Returns what a rule would have matched in public content, using the same comparison as screening.
 * @param maxMs milliseconds each for bookmarks, comments and users; at least one batch of each is scanned
 */
export async function previewRule(db: Db, kind: RuleKind, pattern: string, maxMs = maxScanMs) {
  const compiled = compileRules([{ id: 0, kind, pattern, effect: 'hold' }])
  const matches = (parts: ScreenedPart[]) => findMatches(compiled, parts).length > 0
  return {
    bookmarks: await scanRows<
      MetadataTexts & { id: number; title: string; tags: string[]; source_url: string }
    >(
      (before) => db`
        select b.id, b.title, ${metadataTextColumns(db)}, b.tags, v.source_url
          from bookmarks b join videos v on v.id = b.video_id
         where b.id < ${before} and ${isVisible(db)} order by b.id desc limit ${scanBatch}`,
      ({ source_url, ...texts }) => matches([{ field: '', link: source_url }, ...metadataParts(texts)]),
      maxMs,
    ),
    comments: await scanRows<{ id: number; content: string }>(
      (before) => db`
        select c.id, c.content from comments c join videos v on v.id = c.video_id
         where c.id < ${before} and ${isVisibleComment(db)} and ${isVisibleVideo(db)}
         order by c.id desc limit ${scanBatch}`,
      ({ content }) => matches([{ field: '', text: content }]),
      maxMs,
    ),
    users: await scanRows<{ id: number; username: string; bio: string }>(
      (before) => db`
        select id, username, bio from users where id < ${before} and banned_at is null
         order by id desc limit ${scanBatch}`,
      ({ username, bio }) => matches([usernamePart(username), { field: '', text: bio }]),
      maxMs,
    ),
  }
}

async function scanRows<Row extends { id: number }>(
  read: (before: number) => PromiseLike<unknown>,
  isMatch: (row: Row) => boolean,
  maxMs: number,
): Promise<RulePreview<Row>> {
  const preview: RulePreview<Row> = { matched: 0, scanned: 0, examples: [] }
  const start = performance.now()
  const letOthersRun = createYield()
  let before = Number.MAX_SAFE_INTEGER
  while (preview.scanned < maxScanned) {
    const rows = (await read(before)) as Row[]
    const found: Row[] = []
    for (const row of rows) {
      await letOthersRun()
      if (isMatch(row)) found.push(row)
    }
    preview.matched += found.length
    preview.scanned += rows.length
    preview.examples.push(...found.slice(0, maxExamples - preview.examples.length))
    before = rows.at(-1)?.id ?? 0
    if (rows.length < scanBatch || performance.now() - start > maxMs) break
  }
  return preview
}
