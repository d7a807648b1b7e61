/** What other features ask before they keep what somebody wrote. */
import type { Sql } from '../../core/database.ts'
import { InvalidFields } from '../../core/errors.ts'
import {
  bookOf,
  heldText,
  matchesOf,
  type Part,
  type Rule,
  type RuleBook,
  refusalText,
  wordsOf,
} from './rules.ts'

export type { RuleBook }

/** So long a process goes by what it read before it asks whether anything changed. */
const freshFor = 1000

interface Kept {
  book: RuleBook
  /** How many rules there were, and when the latest changed. */
  version: string
  /** When it was asked for last. */
  at: number
}
const kept = new WeakMap<Sql, Kept>()
const reading = new WeakMap<Sql, Promise<RuleBook>>()

/**
 * The rules as they are now, give or take a second. Asked for before a transaction is opened: where every connection is
 * in one, none is left to read them by.
 */
export function currentRules(db: Sql): RuleBook | Promise<RuleBook> {
  const known = kept.get(db)
  if (known !== undefined && Date.now() - known.at < freshFor) return known.book
  const under = reading.get(db) ?? readRules(db).finally(() => reading.delete(db))
  reading.set(db, under)
  return under
}

/** After a change of one's own: this process goes by it at once, the others within the second. */
export function forgetRules(db: Sql): void {
  kept.delete(db)
}

async function readRules(db: Sql): Promise<RuleBook> {
  const [{ version }] = await db<[{ version: string }]>`
    select count(*) || ' ' || coalesce(max(updated_at)::text, '') as version from content_rules`
  const known = kept.get(db)
  const at = Date.now()
  if (known?.version === version) {
    kept.set(db, { ...known, at })
    return known.book
  }
  const book = bookOf(await db<Rule[]>`select id, kind, pattern, effect from content_rules`)
  kept.set(db, { book, version, at })
  return book
}

/**
 * Why something has to wait for a moderator, for them to read; null where no rule is about it.
 * @throws InvalidFields, at the field, where a rule refuses it.
 */
export function screen(book: RuleBook, parts: readonly Part[]): string | null {
  const matches = matchesOf(book, parts)
  const refused = matches.find(({ rule }) => rule.effect === 'refuse')
  if (refused !== undefined) throw new InvalidFields(atField(refused.field, [refusalText(refused.rule)]))
  return matches.length === 0 ? null : heldText(matches.map(({ rule }) => rule))
}

/** Nothing is held or refused. */
export function isEmpty({ hosts, tags, words, runs }: RuleBook): boolean {
  return hosts.size + tags.size + words.size + runs.length === 0
}

/** `video.title` → `{video: {title: …}}`. */
function atField(field: string, texts: string[]): Record<string, unknown> {
  return field
    .split('.')
    .reverse()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), texts) as Record<string, unknown>
}

/** The links and texts of a save, each at the field of the request that it came from. */
export function partsOfSave(
  {
    video,
    bookmark,
  }: { video: { identity: { source_url: string }; sent: { embed_url: string | null } }; bookmark: Texts },
  given: { bookmark: Partial<Texts> },
): Part[] {
  const field = (name: keyof Texts) => `${given.bookmark[name]?.length ? 'bookmark' : 'video'}.${name}`
  return [
    { field: 'video.source_url', link: video.identity.source_url },
    { field: 'video.embed_url', link: video.sent.embed_url },
    { field: field('title'), text: bookmark.title },
    { field: field('description'), text: bookmark.description },
    { field: field('tags'), tags: bookmark.tags },
  ]
}

interface Texts {
  title: string
  description: string
  tags: readonly string[]
}

/** The words of a text alone, as they are compared: the same for the same words. */
export function plainWords(text: string): string {
  return wordsOf(text).join(' ')
}

/** Usernames run words together: `cheap-pills_now` names all three. */
export function partOfName(username: string): Part {
  return { field: 'username', text: username.replace(/[_.-]/g, ' ') }
}
