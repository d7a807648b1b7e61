/** How content rules match text, links and tags; no I/O. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { RuleEffect, RuleKind } from '@reelmark/contract/content-rules.ts'
import { hostMax } from '@reelmark/contract/protocol/limits.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { normaliseTag } from '../../../shared/tag-names.ts'

export interface Rule {
  id: number
  kind: RuleKind
  pattern: string
  effect: RuleEffect
}

/** A field that a user submits. `field` is where a refusal is reported: `video.title` is `title` inside `video`. */
export interface ScreenedPart {
  field: string
  text?: string | undefined
  /** A field that holds a link and nothing else. */
  link?: string | null | undefined
  tags?: readonly string[] | undefined
}

export interface RuleMatch {
  rule: Rule
  field: string
}

/** Rules indexed so that matching a text takes time proportional to its words, however many rules there are. */
export interface CompiledRules {
  hosts: Map<string, Rule>
  tags: Map<string, Rule>
  /** By their first word. */
  words: Map<string, { rule: Rule; words: string[] }[]>
  /** Patterns in scripts that put nothing between words: searched anywhere in the text. */
  substringRules: Rule[]
}

/** Scripts written without spaces, where whole words cannot be recognised. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Indexes rules for `findMatches`. */
export function compileRules(rules: readonly Rule[]): CompiledRules {
  const compiled: CompiledRules = { hosts: new Map(), tags: new Map(), words: new Map(), substringRules: [] }
  for (const rule of rules) {
    if (rule.kind === 'host') compiled.hosts.set(rule.pattern, rule)
    else if (rule.kind === 'tag') compiled.tags.set(rule.pattern, rule)
    else if (unspaced.test(rule.pattern)) compiled.substringRules.push(rule)
    else {
      const words = rule.pattern.split(' ')
      const [first = ''] = words
      compiled.words.set(first, [...(compiled.words.get(first) ?? []), { rule, words }])
    }
  }
  return compiled
}

/**
 * Returns a text in the form in which words are compared: lower case, without accents and invisible characters, and with
 * other forms of letters (full width, ligatures, mathematical) replaced by the plain ones. Works letter by letter, so that
 * many combining marks on one letter do not take long.
 */
export function normaliseText(text: string): string {
  const letters = text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\P{ASCII}/gu, (letter) => letter.normalize('NFKD'))
    .toLowerCase()
    .replace(/\p{M}/gu, '')
  return letters.replaceAll('ß', 'ss')
}

const wordPattern = /[\p{L}\p{N}]+/gu

/** Returns the normalised words of a text. */
export function splitWords(text: string): string[] {
  return normaliseText(text).match(wordPattern) ?? []
}

/**
 * Returns the host names in a text, with or without a scheme: `see films.example.org/x` contains one. Of a longer name
 * than a host can have, only the end is returned, because checking its parent domains takes time quadratic in its length.
 */
function hostsIn(text: string): string[] {
  const plain = text.replace(/(?!\p{ASCII})\p{Changes_When_NFKC_Casefolded}/gu, (letter) => {
    const letters = letter.normalize('NFKC')
    // One character stands for a phrase of eighteen.
    return letters.length > 4 ? letter : letters
  })
  const found = plain.match(/(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu) ?? []
  return found.map((host) => asciiHost(host.slice(-hostMax)))
}

function asciiHost(host: string): string {
  return /^[\x21-\x7e]*$/.test(host) ? host.toLowerCase() : domainToASCII(host)
}

function linkHost(link: string): string | null {
  return parseUrl(link)?.hostname.replace(/\.$/, '') ?? null
}

/** Yields a host and its parent domains: `a.example.org` → `a.example.org`, `example.org`, `org`. */
function* hostSuffixes(host: string): Generator<string> {
  yield host
  if (isIP(host) !== 0) return
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) yield host.slice(dot + 1)
}

/** Returns every rule that matches, in the order of the parts; a rule may occur more than once. */
export function findMatches(compiled: CompiledRules, parts: readonly ScreenedPart[]): RuleMatch[] {
  const matches: RuleMatch[] = []
  for (const { field, text, link, tags } of parts) {
    const addMatch = (rule: Rule | undefined) => {
      if (rule !== undefined) matches.push({ rule, field })
    }
    if (compiled.hosts.size > 0) {
      const linked = typeof link === 'string' ? linkHost(link) : null
      for (const host of [
        ...(linked === null ? [] : [linked]),
        ...(text === undefined ? [] : hostsIn(text)),
      ]) {
        for (const suffix of hostSuffixes(host)) addMatch(compiled.hosts.get(suffix))
      }
    }
    for (const tag of tags ?? []) addMatch(compiled.tags.get(normaliseTag(tag)))
    for (const phrase of [...(text === undefined ? [] : [text]), ...(tags ?? [])]) {
      matchWords(compiled, phrase, addMatch)
    }
  }
  return matches
}

function matchWords(compiled: CompiledRules, text: string, addMatch: (rule: Rule) => void): void {
  if (compiled.words.size === 0 && compiled.substringRules.length === 0) return
  const normalised = normaliseText(text)
  if (compiled.words.size > 0) {
    const words = normalised.match(wordPattern) ?? []
    words.forEach((word, at) => {
      for (const { rule, words: pattern } of compiled.words.get(word) ?? []) {
        if (pattern.every((part, index) => words[at + index] === part)) addMatch(rule)
      }
    })
  }
  for (const rule of compiled.substringRules) if (normalised.includes(rule.pattern)) addMatch(rule)
}

/** Returns a pattern in the form in which it is stored and compared, or null if it is not valid for its kind. */
export function normalisePattern(kind: RuleKind, typed: string): string | null {
  if (kind === 'tag') return normaliseTag(typed.replace(/^#/, '')) || null
  if (kind === 'word') return splitWords(typed).join(' ') || null
  const bare = typed.trim().replace(/^\*\./, '')
  const link = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `http://${bare}`
  const host = linkHost(link)?.replace(/^www\./, '') ?? ''
  // A whole top-level domain (`.example`) is allowed, the empty host is not.
  return host !== '' &&
    host.length <= hostMax &&
    (isIP(host) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host))
    ? host
    : null
}

/** Returns the error text for the field that a rule refuses. */
export function refusalText({ kind, pattern }: Rule): string {
  if (kind === 'host') return `Links to ${pattern} aren't allowed on Reelmark.`
  return kind === 'tag'
    ? `The tag “${pattern}” isn't allowed on Reelmark.`
    : `“${pattern}” isn't allowed on Reelmark.`
}

/** Returns the reason that moderators read in the queue; names at most five rules. */
export function holdReason(rules: readonly Rule[]): string {
  const named = rules.map(({ kind, pattern }) => `${kind} “${pattern}”`)
  return `Held for review: matches the rule for ${[...new Set(named)].slice(0, 5).join(', ')}.`
}
