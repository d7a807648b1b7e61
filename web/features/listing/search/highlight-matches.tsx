import type { ListingPage } from '@reelmark/contract/listing.ts'
import { parseSearch } from '@reelmark/contract/search-terms.ts'
import { Fragment, type ReactNode } from 'react'

/** Words of a text with their positions. An apostrophe belongs to its word, as in the server's search. */
const wordPattern = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’])*/gu

interface Highlights {
  words: ReadonlySet<string>
  /** Words that are marked only next to each other. */
  phrases: readonly (readonly string[])[]
}

/** Returns a function that renders a title and marks the words of a search in it. */
export function createTitleRenderer(
  search: string,
  corrected: ListingPage['corrected'] = [],
): (title: string) => ReactNode {
  const terms = parseSearch(search).terms.filter(({ negated }) => !negated)
  const ofKind = (kind: string) => terms.filter((term) => term.kind === kind).map(({ text }) => wordsOf(text))
  const highlights = {
    words: new Set([...ofKind('word').flat(), ...corrected.flatMap(({ replacements }) => replacements)]),
    phrases: ofKind('phrase').filter((phrase) => phrase.length > 0),
  }
  return (title) => renderParts(splitMatches(title, highlights))
}

/** Returns a function that renders a name and marks the words in it that begin with a word of a text. */
export function createBeginningRenderer(text: string): (name: string) => ReactNode {
  const beginnings = wordsOf(text)
  const isMatch = ({ word }: FoundWord) => beginnings.some((beginning) => word.startsWith(beginning))
  return (name) => {
    const words = findWords(name)
    return renderParts(splitAt(name, words, words.map(isMatch)))
  }
}

function renderParts(parts: { text: string; isMatch: boolean }[]): ReactNode {
  return parts.map(({ text, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a title have no other identity.
    isMatch ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
  )
}

/** Splits a title into matches and the text between them, in time proportional to its length. */
export function splitMatches(
  title: string,
  { words, phrases }: Highlights,
): { text: string; isMatch: boolean }[] {
  const found = findWords(title)
  const foundWords = found.map(({ word }) => word)
  const isMatch = foundWords.map((word) => words.has(word))
  for (const phrase of phrases) markPhrase(foundWords, phrase, isMatch)
  return splitAt(title, found, isMatch)
}

interface FoundWord {
  start: number
  end: number
  /** Without case, accents and apostrophes. */
  word: string
}

function findWords(text: string): FoundWord[] {
  return [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    word: foldWord(word),
  }))
}

/** Splits a text into those of its words that match and the text between them. */
function splitAt(
  title: string,
  found: readonly FoundWord[],
  isMatch: readonly boolean[],
): { text: string; isMatch: boolean }[] {
  const parts: { text: string; isMatch: boolean }[] = []
  let end = 0
  found.forEach((word, index) => {
    if (!isMatch[index]) return
    if (word.start > end) parts.push({ text: title.slice(end, word.start), isMatch: false })
    parts.push({ text: title.slice(word.start, word.end), isMatch: true })
    end = word.end
  })
  if (end < title.length) parts.push({ text: title.slice(end), isMatch: false })
  return parts
}

/** Marks the words of each occurrence of a phrase. It visits each word once, although occurrences may overlap. */
function markPhrase(words: readonly string[], phrase: readonly string[], isMatch: boolean[]): void {
  const text = ` ${words.join(' ')} `
  const searched = ` ${phrase.join(' ')} `
  let next = text.indexOf(searched)
  let start = 0
  let markedUntil = 0
  words.forEach((word, index) => {
    if (start === next) {
      markedUntil = index + phrase.length
      next = text.indexOf(searched, next + 1)
    }
    if (index < markedUntil) isMatch[index] = true
    start += word.length + 1
  })
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(wordPattern)].map(([word]) => foldWord(word))
}

/** Returns a word without case, accents and apostrophes. */
function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (/^\w*$/.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .replaceAll('ß', 'ss')
}
