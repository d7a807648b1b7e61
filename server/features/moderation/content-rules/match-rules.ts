/** How rules of the block lists match what people write; no I/O. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { RuleEffect, RuleKind } from '@reelmark/contract/content-rules.ts'
import { normaliseTag } from '../../../shared/tag-names.ts'

export interface Rule {
  id: number
  kind: RuleKind
  pattern: string
  effect: RuleEffect
}

/** Something that somebody writes: `field` is where a refusal is told, `video.title` inside `video`. */
export interface ScreenedPart {
  field: string
  text?: string | undefined
  /** A link by itself. */
  link?: string | null | undefined
  tags?: readonly string[] | undefined
}

export interface RuleMatch {
  rule: Rule
  field: string
}

/** The rules, so that a text costs as many looks as it has words, however many rules there are. */
export interface CompiledRules {
  hosts: Map<string, Rule>
  tags: Map<string, Rule>
  /** By their first word. */
  words: Map<string, { rule: Rule; words: string[] }[]>
  /** Of scripts that put nothing between words: found anywhere. */
  substringRules: Rule[]
}

/** Written without spaces: whole words cannot be told from their neighbours. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

export function compileRules(rules: readonly Rule[]): CompiledRules {
  const book: CompiledRules = { hosts: new Map(), tags: new Map(), words: new Map(), substringRules: [] }
  for (const rule of rules) {
    if (rule.kind === 'host') book.hosts.set(rule.pattern, rule)
    else if (rule.kind === 'tag') book.tags.set(rule.pattern, rule)
    else if (unspaced.test(rule.pattern)) book.substringRules.push(rule)
    else {
      const words = rule.pattern.split(' ')
      const [first = ''] = words
      book.words.set(first, [...(book.words.get(first) ?? []), { rule, words }])
    }
  }
  return book
}

/**
 * A text as words are compared: in lower case, without accents, what shows nothing and the other shapes that letters
 * have (full width, ligatures, mathematical). Letter by letter, so that no heap of marks on one takes long.
 */
export function normaliseText(text: string): string {
  const letters = text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\P{ASCII}/gu, (letter) => letter.normalize('NFKD').replace(/\p{M}/gu, ''))
    .toLowerCase()
    .replace(/\p{M}/gu, '')
  return letters.replaceAll('ß', 'ss')
}

export function splitWords(text: string): string[] {
  return normaliseText(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Host names as a text names them, with a scheme or without: `see films.example.org/x` names one. */
function hostsIn(text: string): string[] {
  const found = text.normalize('NFKC').match(/[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu) ?? []
  return found.map(asciiHost)
}

function asciiHost(host: string): string {
  return /^[\x21-\x7e]*$/.test(host) ? host.toLowerCase() : domainToASCII(host)
}

function linkHost(link: string): string | null {
  return URL.canParse(link) ? new URL(link).hostname.replace(/\.$/, '') : null
}

/** `a.films.example.org` → itself, `films.example.org`, `example.org`, `org`. */
function* hostSuffixes(host: string): Generator<string> {
  yield host
  if (isIP(host) !== 0) return
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) yield host.slice(dot + 1)
}

/** Every rule that something matches, in the order of its parts; a rule may come more than once. */
export function findMatches(book: CompiledRules, parts: readonly ScreenedPart[]): RuleMatch[] {
  const matches: RuleMatch[] = []
  for (const { field, text, link, tags } of parts) {
    const note = (rule: Rule | undefined) => {
      if (rule !== undefined) matches.push({ rule, field })
    }
    if (book.hosts.size > 0) {
      const host = typeof link === 'string' ? linkHost(link) : null
      for (const each of [...(host === null ? [] : [host]), ...(text === undefined ? [] : hostsIn(text))]) {
        for (const suffix of hostSuffixes(each)) note(book.hosts.get(suffix))
      }
    }
    for (const tag of tags ?? []) note(book.tags.get(normaliseTag(tag)))
    for (const each of [...(text === undefined ? [] : [text]), ...(tags ?? [])]) matchWords(book, each, note)
  }
  return matches
}

function matchWords(book: CompiledRules, text: string, note: (rule: Rule) => void): void {
  if (book.words.size > 0) {
    const words = splitWords(text)
    words.forEach((word, at) => {
      for (const { rule, words: wanted } of book.words.get(word) ?? []) {
        if (wanted.every((each, index) => words[at + index] === each)) note(rule)
      }
    })
  }
  if (book.substringRules.length > 0) {
    const whole = normaliseText(text)
    for (const rule of book.substringRules) if (whole.includes(rule.pattern)) note(rule)
  }
}

/** A pattern as it is kept and compared; null for what is none of its kind. */
export function normalisePattern(kind: RuleKind, typed: string): string | null {
  if (kind === 'tag') return normaliseTag(typed.replace(/^#/, '')) || null
  if (kind === 'word') return splitWords(typed).join(' ') || null
  const bare = typed.trim().replace(/^\*\./, '')
  const link = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `http://${bare}`
  const host = linkHost(link)?.replace(/^www\./, '') ?? ''
  // Of a whole top-level domain too (`.example`), but never of everything.
  return host !== '' && host.length <= 253 && (isIP(host) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host))
    ? host
    : null
}

/** What whoever wrote it is told at the field. */
export function refusalText({ kind, pattern }: Rule): string {
  if (kind === 'host') return `Links to ${pattern} aren't allowed on Reelmark.`
  return kind === 'tag'
    ? `The tag “${pattern}” isn't allowed on Reelmark.`
    : `“${pattern}” isn't allowed on Reelmark.`
}

/** What moderators read in the queue. */
export function holdReason(rules: readonly Rule[]): string {
  const named = rules.map(({ kind, pattern }) => `${kind} “${pattern}”`)
  return `Held for review: matches the rule for ${[...new Set(named)].slice(0, 5).join(', ')}.`
}
