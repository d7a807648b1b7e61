import { searchOperators } from '@reelmark/contract/search-operators.ts'
import { uploaderTerm } from '@reelmark/contract/search-terms.ts'

type SearchOperator = (typeof searchOperators)[number]

/** Letters after which operators are suggested. One letter begins too many ordinary words. */
const minLetters = 2

/** Returns the operators that begin with the word before the caret; to visitors, only those that need no account. */
export function matchOperators(text: string, caret: number, isSignedIn: boolean): SearchOperator[] {
  const word = text.slice(wordStart(text, caret), caret).toLowerCase()
  if (word.length < minLetters) return []
  return searchOperators.filter(
    (known) =>
      known.operator !== word &&
      known.operator.startsWith(word) &&
      (isSignedIn || !('needsAccount' in known)),
  )
}

/** Returns the text with the word before the caret replaced by an operator, and where the caret is then. */
export function insertOperator(
  text: string,
  caret: number,
  operator: string,
): { text: string; caret: number } {
  const before = text.slice(0, wordStart(text, caret)) + operator
  // The caret stays after a colon for the value; a complete operator is followed by the next word.
  const end = operator.endsWith(':') ? '' : ' '
  return { text: `${before}${end}${text.slice(caret).trimStart()}`, caret: before.length + end.length }
}

/** The value of `channel:` that ends at the caret. */
const uploaderPattern = /(?<!\S)-?channel:(?:"([^"]*)|([^\s"]*))$/iu

/** Returns the beginning of the name of an uploader before the caret; null for any other text. */
export function findUploaderPrefix(text: string, caret: number): string | null {
  const [, quoted, bare] = uploaderPattern.exec(text.slice(0, caret)) ?? []
  return (quoted ?? bare ?? '').trim() || null
}

/** Returns the text with the name of the uploader before the caret completed, and where the caret is then. */
export function insertUploader(text: string, caret: number, name: string): { text: string; caret: number } {
  const { index = caret } = uploaderPattern.exec(text.slice(0, caret)) ?? {}
  const before = `${text.slice(0, index)}${text[index] === '-' ? '-' : ''}${uploaderTerm(name)} `
  return { text: before + text.slice(caret).replace(/^"/, '').trimStart(), caret: before.length }
}

/** Returns where the word before the caret begins, without a minus. */
function wordStart(text: string, caret: number): number {
  const start = text.slice(0, caret).lastIndexOf(' ') + 1
  return text[start] === '-' ? start + 1 : start
}
