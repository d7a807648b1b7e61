/** What other features ask before they keep what somebody wrote. */
import type { Db, Sql } from '../../../core/database/database.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import {
  type CompiledRules,
  compileRules,
  findMatches,
  holdReason,
  type Rule,
  refusalText,
  type ScreenedPart,
  splitWords,
} from './match-rules.ts'

export type { CompiledRules }

/** So long a process goes by what it read before it asks whether anything changed. */
const cacheMs = 1000

interface CachedRules {
  book: CompiledRules
  /** How many rules there were, and when the latest changed. */
  version: string
  /** When it was asked for last. */
  at: number
}
const cache = new WeakMap<Sql, CachedRules>()
const pendingReads = new WeakMap<Sql, Promise<CompiledRules>>()

/**
 * Returns the rules, at most a second old.
 * @param db the pool, whose rules are cached
 * @param tx the connection to read with; inside a transaction it must be that transaction
 */
export function currentRules(db: Sql, tx: Db = db): CompiledRules | Promise<CompiledRules> {
  const known = cache.get(db)
  if (known !== undefined && Date.now() - known.at < cacheMs) return known.book
  const shared = pendingReads.get(db)
  // Another caller's connection may break while it reads.
  if (shared !== undefined) return shared.catch(() => readRules(db, tx))
  const started = readRules(db, tx).finally(() => pendingReads.delete(db))
  pendingReads.set(db, started)
  return started
}

/** After a change of one's own: this process goes by it at once, the others within the second. */
export function invalidateRules(db: Sql): void {
  cache.delete(db)
}

async function readRules(db: Sql, tx: Db): Promise<CompiledRules> {
  const [{ version }] = await tx<[{ version: string }]>`
    select count(*) || ' ' || coalesce(max(updated_at)::text, '') as version from content_rules`
  const known = cache.get(db)
  const at = Date.now()
  if (known?.version === version) {
    cache.set(db, { ...known, at })
    return known.book
  }
  const book = compileRules(await tx<Rule[]>`select id, kind, pattern, effect from content_rules`)
  cache.set(db, { book, version, at })
  return book
}

/**
 * Why something has to wait for a moderator, for them to read; null where no rule is about it.
 * @throws InvalidFields, at the field, where a rule refuses it.
 */
export function screenContent(book: CompiledRules, parts: readonly ScreenedPart[]): string | null {
  const matches = findMatches(book, parts)
  const refused = matches.find(({ rule }) => rule.effect === 'refuse')
  if (refused !== undefined) throw new InvalidFields(fieldError(refused.field, [refusalText(refused.rule)]))
  return matches.length === 0 ? null : holdReason(matches.map(({ rule }) => rule))
}

/** Nothing is held or refused. */
export function hasNoRules({ hosts, tags, words, substringRules: runs }: CompiledRules): boolean {
  return hosts.size + tags.size + words.size + runs.length === 0
}

/** `video.title` → `{video: {title: …}}`. */
function fieldError(field: string, texts: string[]): Record<string, unknown> {
  return field
    .split('.')
    .reverse()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), texts) as Record<string, unknown>
}

/** The links and texts of a save, each at the field of the request that it came from. */
export function bookmarkParts(
  {
    video,
    bookmark,
  }: { video: { identity: { source_url: string }; sent: { embed_url: string | null } }; bookmark: Texts },
  given: { bookmark: Partial<Texts> },
): ScreenedPart[] {
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
export function normalisedWords(text: string): string {
  return splitWords(text).join(' ')
}

/** Usernames run words together: `cheap-pills_now` names all three. */
export function usernamePart(username: string): ScreenedPart {
  return { field: 'username', text: username.replace(/[_.-]/g, ' ') }
}
