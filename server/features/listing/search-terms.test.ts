import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '../../core/http/cursor.ts'
import { anyText } from '../../testing/any-text.ts'
import { formatSearch } from './search-model.fixture.ts'
import { parseSearch, type SearchTerm } from './search-terms.ts'

test.each<[string, SearchTerm[]]>([
  ['', []],
  ['   ', []],
  ['red  fox', [word('red'), word('fox')]],
  ['"red fox" jumps', [{ kind: 'phrase', text: 'red fox', negated: false }, word('jumps')]],
  ['-blue', [{ ...word('blue'), negated: true }]],
  ['-"two words"', [{ kind: 'phrase', text: 'two words', negated: true }]],
  ['tag:Nature', [named('tag', 'nature')]],
  ['tag:"Stop Motion"', [named('tag', 'stop motion')]],
  ['-tag:horror', [{ ...named('tag', 'horror'), negated: true }]],
  ['User:Alice', [named('user', 'alice')]],
  ['site:www.YouTube.com', [named('site', 'youtube.com')]],
  ['site:https://vimeo.com/123', [named('site', 'vimeo.com')]],
  ['"never closed', [{ kind: 'phrase', text: 'never closed', negated: false }]],
  ['tag:', [word('tag:')]],
  ['tag: nature', [word('tag:'), word('nature')]],
  ['-', []],
  ['fox & "..." -! hound', [word('fox'), word('hound')]],
  ['""', []],
  ['12:30', [word('12:30')]],
])('%j is parsed as expected', (search, terms) => {
  expect(parseSearch(search)).toEqual(terms)
})

test('formatted terms are parsed back to the same terms', () => {
  const text = fc.stringMatching(/^[a-z0-9éß]{1,8}$/)
  const term = fc.record({
    kind: fc.constantFrom<SearchTerm['kind']>('word', 'phrase', 'tag', 'user', 'site'),
    text,
    negated: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(term, { maxLength: 6 }), (terms) => {
      expect(parseSearch(formatSearch(terms))).toEqual(terms)
    }),
  )
})

test('parsing any text neither fails nor returns blank terms', () => {
  fc.assert(
    fc.property(anyText, (search) => {
      for (const { text } of parseSearch(search)) expect(text).not.toMatch(/^\s*$/)
    }),
    { numRuns: 500 },
  )
})

test('an encoded cursor is decoded to the same cursor, and other texts are rejected', () => {
  const cursor = fc.record({
    direction: fc.constantFrom('after' as const, 'before' as const),
    segment: fc.constantFrom(0, 1),
    key: fc.oneof(fc.maxSafeNat(), fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs)),
    id: fc.maxSafeNat(),
  })
  fc.assert(
    fc.property(cursor, (value) => {
      expect(decodeCursor(encodeCursor(value), 2)).toEqual(value)
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      const decoded = decodeCursor(text, 2)
      if (decoded !== null)
        expect(Number.isFinite(decoded.key) && Number.isSafeInteger(decoded.id)).toBe(true)
    }),
  )
  for (const text of ['', 'a2_1_1', 'a0_1_99999999999999999', 'a0_1e999_1', 'a0_-1_1', 'a0_1_1 or 1=1']) {
    expect(decodeCursor(text, 2), text).toBeNull()
  }
})

function word(text: string): SearchTerm {
  return { kind: 'word', text, negated: false }
}

function named(kind: 'tag' | 'user' | 'site', text: string): SearchTerm {
  return { kind, text, negated: false }
}
