/** Screening: other features check content against the content rules before they save it. */
import { type MetadataTexts, metadataTextNames } from '@reelmark/contract/video-facts.ts'
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

/** How many milliseconds a process uses cached rules before it checks whether they changed. */
const cacheMs = 1000

interface CachedRules {
  compiled: CompiledRules
  /** The number of rules and the time of the latest change. */
  version: string
  /** When the version was last checked, in milliseconds since 1970. */
  checkedAt: number
}
const cache = new WeakMap<Sql, CachedRules>()
const pendingReads = new WeakMap<Sql, Promise<CompiledRules>>()

/**
 * Returns the content rules, at most a second old.
 *
 * Concurrent callers outside a transaction share one read. A caller inside a transaction reads on its own connection:
 * if it waited for the shared read, transactions that hold every connection of the pool would wait for a read that
 * needs one of them.
 * @param db the pool, whose rules are cached
 * @param tx the connection to read with; inside a transaction it must be that transaction
 */
export function currentRules(db: Sql, tx: Db = db): CompiledRules | Promise<CompiledRules> {
  const cached = cache.get(db)
  if (cached !== undefined && Date.now() - cached.checkedAt < cacheMs) return cached.compiled
  if (tx !== db) return readRules(db, tx)
  const pending = pendingReads.get(db)
  if (pending !== undefined) return pending
  const started = readRules(db, db).finally(() => pendingReads.delete(db))
  pendingReads.set(db, started)
  return started
}

/** Clears the cache after a change: this process reads the rules at once, other processes within a second. */
export function invalidateRules(db: Sql): void {
  cache.delete(db)
}

async function readRules(db: Sql, tx: Db): Promise<CompiledRules> {
  const [{ version }] = await tx<[{ version: string }]>`
    select count(*) || ' ' || coalesce(max(updated_at)::text, '') as version from content_rules`
  const cached = cache.get(db)
  const checkedAt = Date.now()
  if (cached?.version === version) {
    cache.set(db, { ...cached, checkedAt })
    return cached.compiled
  }
  const compiled = compileRules(await tx<Rule[]>`select id, kind, pattern, effect from content_rules`)
  cache.set(db, { compiled, version, checkedAt })
  return compiled
}

/**
 * Returns why the content must be held for a moderator, or null if no rule matches.
 * @throws InvalidFields for the field that a rule refuses
 */
export function screenContent(compiled: CompiledRules, parts: readonly ScreenedPart[]): string | null {
  const matches = findMatches(compiled, parts)
  const refused = matches.find(({ rule }) => rule.effect === 'refuse')
  if (refused !== undefined) throw new InvalidFields(fieldError(refused.field, [refusalText(refused.rule)]))
  return matches.length === 0 ? null : holdReason(matches.map(({ rule }) => rule))
}

/** Returns whether no rule matches. */
export function isAllowed(compiled: CompiledRules, parts: readonly ScreenedPart[]): boolean {
  return findMatches(compiled, parts).length === 0
}

/** Returns whether there are no rules, so that nothing can be held or refused. */
export function hasNoRules({ hosts, tags, words, substringRules }: CompiledRules): boolean {
  return hosts.size + tags.size + words.size + substringRules.length === 0
}

/** Returns field errors nested by the path of the field: `video.title` → `{video: {title: …}}`. */
function fieldError(field: string, texts: string[]): Record<string, unknown> {
  return field
    .split('.')
    .reverse()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), texts) as Record<string, unknown>
}

/** Returns the links and texts of a saved bookmark, each with the field of the request that it came from. */
export function bookmarkParts(
  { video, bookmark }: { video: { identity: { source_url: string }; sent: ScreenedFacts }; bookmark: Texts },
  input: { bookmark: Partial<Texts> },
): ScreenedPart[] {
  const field = (name: keyof Texts) => `${input.bookmark[name]?.length ? 'bookmark' : 'video'}.${name}`
  return [
    { field: 'video.source_url', link: video.identity.source_url },
    { field: 'video.embed_url', link: video.sent.embed_url },
    uploaderPart(video.sent, 'video.uploader_name'),
    ...metadataParts(bookmark, field),
  ]
}

interface ScreenedFacts extends ScreenedUploader {
  embed_url: string | null
}

interface ScreenedUploader {
  uploader_name?: string | null | undefined
  uploader_url?: string | null | undefined
}

/** Returns an uploader as a part to screen. `field` names the field of the request. */
export function uploaderPart(
  { uploader_name, uploader_url }: ScreenedUploader,
  field = 'uploader_name',
): ScreenedPart {
  return { field, text: uploader_name ?? undefined, link: uploader_url ?? null }
}

interface Texts extends MetadataTexts {
  title: string
  tags: readonly string[]
}

/** Returns the title, texts and tags of a bookmark as parts to screen. `toField` names the field of the request. */
export function metadataParts(
  texts: Partial<Texts>,
  toField: (name: keyof Texts) => string = (name) => name,
): ScreenedPart[] {
  return [
    { field: toField('title'), text: texts.title },
    ...metadataTextNames.map((name) => ({ field: toField(name), text: texts[name] })),
    { field: toField('tags'), tags: texts.tags },
  ]
}

/** Returns the normalised words of a text, joined by spaces: equal for texts that differ only in form. */
export function normalisedWords(text: string): string {
  return splitWords(text).join(' ')
}

/** Returns a username as a part to screen. Usernames join words: `cheap-pills_now` contains three. */
export function usernamePart(username: string): ScreenedPart {
  return { field: 'username', text: username.replace(/[_.-]/g, ' ') }
}
