import { expect, test } from 'vitest'
import { normalizeUnicode } from './unicode.ts'

test.each([
  ['e\u0301', '\u00e9'],
  ['a\u0301\u0316', '\u00e1\u0316'.normalize('NFC')],
  ['\u1112\u1161\u11ab', '\ud55c'],
  ['', ''],
])('%j is written %j', (text, written) => {
  expect(normalizeUnicode(text)).toBe(written)
})

test('of what is no letter any more as much stays as can be put in order at once', () => {
  const zalgo = `z${'\u0301\u0316'.repeat(10)}`
  expect(normalizeUnicode(zalgo)).toHaveLength(20)
  expect(normalizeUnicode(`z${'\u0301\u0316'.repeat(500_000)}`)).toHaveLength(30)
  expect(normalizeUnicode(`${zalgo}${zalgo}`)).toHaveLength(40)
})
