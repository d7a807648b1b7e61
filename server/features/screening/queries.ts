/** Rules of the block lists in SQL, and what one would have matched. */
import { limits } from '@reelmark/contract/limits.ts'
import type { BlockRule, RuleEffect, RuleKind } from '@reelmark/contract/screening.ts'
import type { Fragment } from 'postgres'
import type { Db } from '../../core/database.ts'
import { ApiError } from '../../core/errors.ts'
import { isVisible, isVisibleComment } from '../bookmarks/visibility.ts'
import { person } from '../profiles/cards.ts'
import { bookOf, matchesOf, type Part, plain } from './rules.ts'

/** Columns of rules `r`. */
function columns(db: Db): Fragment {
  return db`r.id, r.kind, r.pattern, r.effect, r.note, r.created_at, r.updated_at,
    case when m.id is not null then ${person(db, 'm')} end as created_by`
}

export interface RuleFilters {
  kind?: RuleKind
  search?: string
}

/** The newest first. One statement. */
export async function listRules(
  db: Db,
  { kind, search = '' }: RuleFilters,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: BlockRule[] }> {
  const wanted = plain(search).trim()
  const where = db`true ${kind === undefined ? db`` : db`and r.kind = ${kind}`}
    ${wanted === '' ? db`` : db`and position(${wanted} in r.pattern) > 0`}`
  const rows = await db<(BlockRule & { count: number })[]>`
    select whole.count, page.*
      from (select count(*) as count from content_rules r where ${where}) whole
      left join (select ${columns(db)} from content_rules r left join users m on m.id = r.created_by
                  where ${where} order by r.id desc limit ${size} offset ${skip}) page on true
     order by page.id desc`
  return { count: rows[0]?.count ?? 0, results: rows.filter(({ id }) => id !== null) }
}

/** @throws ApiError('not-found') */
export async function readRule(db: Db, id: number): Promise<BlockRule> {
  const [rule] = await db<BlockRule[]>`
    select ${columns(db)} from content_rules r left join users m on m.id = r.created_by where r.id = ${id}`
  if (rule === undefined) throw new ApiError('not-found')
  return rule
}

/** @throws ApiError('rule-there') with its `rule_id`, ('too-many-there'). */
export async function createRule(
  db: Db,
  moderatorId: number,
  rule: { kind: RuleKind; pattern: string; effect: RuleEffect; note: string },
): Promise<number> {
  const { kind, pattern, effect, note } = rule
  const [made] = await db<{ id: number }[]>`
    insert into content_rules (kind, pattern, effect, note, created_by)
    select ${kind}, ${pattern}, ${effect}, ${note}, ${moderatorId}
     where (select count(*) from content_rules) < ${limits.rulesMax}
    on conflict (kind, pattern) do nothing returning id`
  if (made !== undefined) return made.id
  const rule_id = await findRule(db, kind, pattern)
  throw rule_id === null ? new ApiError('too-many-there') : new ApiError('rule-there', { rule_id })
}

export async function findRule(db: Db, kind: RuleKind, pattern: string): Promise<number | null> {
  const [there] = await db<{ id: number }[]>`
    select id from content_rules where kind = ${kind} and pattern = ${pattern}`
  return there?.id ?? null
}

/** @returns what it was. @throws ApiError('not-found') */
export async function updateRule(
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

/** @returns what it was. @throws ApiError('not-found') */
export async function removeRule(db: Db, id: number): Promise<Record<string, unknown>> {
  const [gone] = await db<Record<string, unknown>[]>`
    delete from content_rules where id = ${id} returning kind, pattern, effect, note`
  if (gone === undefined) throw new ApiError('not-found')
  return gone
}

/** So many of each are looked at, the newest; some of them at a time, so that nobody else waits for long. */
const lookedAt = 20_000
const atOnce = 500
/** Milliseconds, of each: a busy machine looks at fewer in it, and says how many. */
const lookedFor = 600
const mostExamples = 5

interface Tried<Row> {
  matched: number
  looked_at: number
  examples: Row[]
}

/**
 * What a rule would have matched, by the same comparison that it will go by: of what is public alone.
 * @param most milliseconds for bookmarks, for comments and for users each; some are looked at in any case
 */
export async function tryRule(db: Db, kind: RuleKind, pattern: string, most = lookedFor) {
  const book = bookOf([{ id: 0, kind, pattern, effect: 'hold' }])
  const matches = (parts: Part[]) => matchesOf(book, parts).length > 0
  return {
    bookmarks: await look<{
      id: number
      title: string
      description: string
      tags: string[]
      source_url: string
    }>(
      (before) => db`
        select b.id, b.title, b.description, b.tags, v.source_url
          from bookmarks b join videos v on v.id = b.video_id
         where b.id < ${before} and ${isVisible(db)} order by b.id desc limit ${atOnce}`,
      ({ title, description, tags, source_url }) =>
        matches([
          { field: '', text: title },
          { field: '', text: description },
          { field: '', tags, link: source_url },
        ]),
      most,
    ),
    comments: await look<{ id: number; content: string }>(
      (before) => db`
        select c.id, c.content from comments c where c.id < ${before} and ${isVisibleComment(db)}
         order by c.id desc limit ${atOnce}`,
      ({ content }) => matches([{ field: '', text: content }]),
      most,
    ),
    users: await look<{ id: number; username: string; bio: string }>(
      (before) => db`
        select id, username, bio from users where id < ${before} and banned_at is null
         order by id desc limit ${atOnce}`,
      ({ username, bio }) =>
        matches([
          { field: '', text: username.replace(/[_.-]/g, ' ') },
          { field: '', text: bio },
        ]),
      most,
    ),
  }
}

async function look<Row extends { id: number }>(
  read: (before: number) => PromiseLike<unknown>,
  isMatch: (row: Row) => boolean,
  most: number,
): Promise<Tried<Row>> {
  const tried: Tried<Row> = { matched: 0, looked_at: 0, examples: [] }
  const start = performance.now()
  let before = Number.MAX_SAFE_INTEGER
  while (tried.looked_at < lookedAt) {
    const rows = (await read(before)) as Row[]
    const found = rows.filter(isMatch)
    tried.matched += found.length
    tried.looked_at += rows.length
    tried.examples.push(...found.slice(0, mostExamples - tried.examples.length))
    before = rows.at(-1)?.id ?? 0
    if (rows.length < atOnce || performance.now() - start > most) break
  }
  return tried
}
