import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  bookmarkStates,
  type FilterTerm,
  parseSearch,
  type SearchTerm,
} from '@reelmark/contract/search-terms.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '../../core/http/cursor.ts'
import { anyText } from '../../testing/any-text.ts'
import { formatSearch } from './search-model.fixture.ts'

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
  ['channel:"Blender  Studio"', [named('channel', 'Blender  Studio')]],
  ['-Channel:mara', [{ ...named('channel', 'mara'), negated: true }]],
  ['channel:', [word('channel:')]],
  ['"never closed', [{ kind: 'phrase', text: 'never closed', negated: false }]],
  ['tag:', [word('tag:')]],
  ['tag: nature', [word('tag:'), word('nature')]],
  ['-', []],
  ['fox & "..." -! hound', [word('fox'), word('hound')]],
  ['""', []],
  ['12:30', [word('12:30')]],
  ['before:tomorrow', [word('before:tomorrow')]],
  ['after:2025-02-30', [word('after:2025-02-30')]],
  ['after:2025-13', [word('after:2025-13')]],
  ['before:0000-01-01', [word('before:0000-01-01')]],
  ['longer:', [word('longer:')]],
  ['longer:10', [word('longer:10')]],
  ['longer:h', [word('longer:h')]],
  ['shorter:99999h', [word('shorter:99999h')]],
  ['-is:new', [{ ...word('is:new'), negated: true }]],
  ['is:"two words"', [{ kind: 'phrase', text: 'is:two words', negated: false }]],
])('%j is parsed as expected', (search, terms) => {
  expect(parseSearch(search)).toEqual({ terms, filters: [] })
})

test.each<[string, FilterTerm]>([
  ['after:2025-01-31', { kind: 'after', time: '2025-01-31T00:00:00.000Z', negated: false }],
  ['Before:2024-02-29', { kind: 'before', time: '2024-02-29T00:00:00.000Z', negated: false }],
  ['before:2025-07', { kind: 'before', time: '2025-07-01T00:00:00.000Z', negated: false }],
  ['-after:2025', { kind: 'after', time: '2025-01-01T00:00:00.000Z', negated: true }],
  ['longer:90s', { kind: 'longer', seconds: 90, negated: false }],
  ['longer:"10m"', { kind: 'longer', seconds: 600, negated: false }],
  ['shorter:1H30M', { kind: 'shorter', seconds: 5400, negated: false }],
  ['shorter:4:05', { kind: 'shorter', seconds: 245, negated: false }],
  ['shorter:1:00:00', { kind: 'shorter', seconds: 3600, negated: false }],
  ['is:WATCHED', { kind: 'is', state: 'watched', negated: false }],
  ['-is:adult', { kind: 'is', state: 'adult', negated: true }],
])('%j is parsed as a filter', (search, filter) => {
  expect(parseSearch(search)).toEqual({ terms: [], filters: [filter] })
})

test('formatted terms are parsed back to the same terms', () => {
  const text = fc.stringMatching(/^[a-z0-9éß]{1,8}$/)
  const term = fc.record({
    kind: fc.constantFrom<SearchTerm['kind']>('word', 'phrase', 'tag', 'user', 'site', 'channel'),
    text,
    negated: fc.boolean(),
  })
  const negated = fc.boolean()
  const filter = fc.oneof<fc.Arbitrary<FilterTerm>[]>(
    fc.record({
      kind: fc.constantFrom('before', 'after'),
      time: fc
        .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((date) => `${date.toISOString().slice(0, 10)}T00:00:00.000Z`),
      negated,
    }),
    fc.record({
      kind: fc.constantFrom('longer', 'shorter'),
      seconds: fc.integer({ min: 0, max: limits.durationMax }),
      negated,
    }),
    fc.record({ kind: fc.constant('is'), state: fc.constantFrom(...bookmarkStates), negated }),
  )
  fc.assert(
    fc.property(fc.array(term, { maxLength: 6 }), fc.array(filter, { maxLength: 3 }), (terms, filters) => {
      expect(parseSearch(formatSearch({ terms, filters }))).toEqual({ terms, filters })
    }),
  )
})

test('parsing any text neither fails nor returns blank terms', () => {
  fc.assert(
    fc.property(anyText, (search) => {
      for (const { text } of parseSearch(search).terms) expect(text).not.toMatch(/^\s*$/)
    }),
    { numRuns: 500 },
  )
})

test('an encoded cursor is decoded to the same cursor, and other texts are rejected', () => {
  const cursor = fc.record({
    direction: fc.constantFrom('after' as const, 'before' as const),
    segment: fc.constantFrom(0, 1),
    key: fc.oneof(
      fc.maxSafeNat(),
      fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    ),
    id: fc.maxSafeNat(),
  })
  const counted = fc
    .tuple(cursor, fc.nat({ max: 999_999_999 }))
    .map(([value, count]) => ({ ...value, count }))
  fc.assert(
    fc.property(fc.oneof(cursor, counted), (value) => {
      expect(decodeCursor(encodeCursor(value), 2)).toEqual(value)
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      const decoded = decodeCursor(text, 2)
      if (decoded !== null)
        expect(
          (typeof decoded.key === 'string' || Number.isFinite(decoded.key)) &&
            Number.isSafeInteger(decoded.id),
        ).toBe(true)
    }),
  )
  for (const text of [
    '',
    'a2_1_1',
    'a0_1_99999999999999999',
    'a0_1e999_1',
    'a0_-1_1',
    'a0_1_1 or 1=1',
    'a0_~_',
    'a0_~AA_1',
    'a0_~_w_1',
    'a0_1_1n',
    'a0_1_1n-1',
    'a0_1_1n9999999999',
  ]) {
    expect(decodeCursor(text, 2), text).toBeNull()
  }
})

function word(text: string): SearchTerm {
  return { kind: 'word', text, negated: false }
}

function named(kind: 'tag' | 'user' | 'site' | 'channel', text: string): SearchTerm {
  return { kind, text, negated: false }
}
