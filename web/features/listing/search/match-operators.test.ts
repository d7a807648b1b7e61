import { searchOperators } from '@reelmark/contract/search-operators.ts'
import { parseSearch } from '@reelmark/contract/search-terms.ts'
import { expect, test } from 'vitest'
import { findUploaderPrefix, insertOperator, insertUploader, matchOperators } from './match-operators.ts'

const names = (text: string, caret = text.length, isSignedIn = true) =>
  matchOperators(text, caret, isSignedIn).map(({ operator }) => operator)

test.each([
  ['', []],
  ['t', []],
  ['ta', ['tag:']],
  ['cats -BE', ['before:']],
  ['is:', ['is:watched', 'is:unwatched', 'is:private', 'is:gone', 'is:later', 'is:adult']],
  ['-no', ['note:', 'no:tag', 'no:picture', 'no:player']],
  ['is:adult', []],
  ['tag:x', []],
  ['be ', []],
])('after %j the suggestions are %j', (text, expected) => {
  expect(names(text)).toEqual(expected)
})

test('visitors get no operators that need an account', () => {
  expect(names('is:', 3, false)).toEqual(['is:adult'])
})

test('an operator replaces the word before the caret, keeps its minus, and leaves the other words', () => {
  expect(names('ta cats', 2)).toEqual(['tag:'])
  expect(insertOperator('ta cats', 2, 'tag:')).toEqual({ text: 'tag:cats', caret: 4 })
  expect(insertOperator('cats -is:w', 10, 'is:watched')).toEqual({ text: 'cats -is:watched ', caret: 17 })
})

test.each([
  ['cats channel:Ble', 'Ble'],
  ['-channel:"Blender St', 'Blender St'],
  ['channel:', null],
  ['channel:"', null],
  ['channel:"Blender" ', null],
  ['mychannel:x', null],
])('after %j, uploaders that begin with %j are suggested', (text, expected) => {
  expect(findUploaderPrefix(text, text.length)).toBe(expected)
})

test('the name of an uploader is completed in quotes, and the other words stay', () => {
  expect(insertUploader('cats -channel:"Blender St dogs', 25, 'Blender Studio')).toEqual({
    text: 'cats -channel:"Blender Studio" dogs',
    caret: 31,
  })
  const { text } = insertUploader('channel:b', 9, 'The "B" Team')
  expect(parseSearch(text).terms).toEqual([{ kind: 'channel', text: 'The B Team', negated: false }])
})

test('every example of the help is an operator of the search language', () => {
  for (const { operator, example } of searchOperators) {
    const { terms, filters } = parseSearch(example)
    expect(terms.length + filters.length, example).toBe(1)
    const [term] = terms
    const isPlainWord = term?.kind === 'word' && !term.negated
    expect(isPlainWord, `${operator} ${example}`).toBe(false)
  }
})
