import { expect, test } from 'vitest'
import { normalizeUnicode } from './unicode.ts'

test.each([
  ['e\u0301', '\u00e9'],
  ['a\u0301\u0316', '\u00e1\u0316'.normalize('NFC')],
  ['\u1112\u1161\u11ab', '\ud55c'],
  ['', ''],
])('%j is normalised to %j', (text, expected) => {
  expect(normalizeUnicode(text)).toBe(expected)
})

test('sequences of more than 30 combining marks are truncated', () => {
  const zalgo = `z${'\u0301\u0316'.repeat(10)}`
  expect(normalizeUnicode(zalgo)).toHaveLength(20)
  expect(normalizeUnicode(`z${'\u0301\u0316'.repeat(500_000)}`)).toHaveLength(30)
  expect(normalizeUnicode(`${zalgo}${zalgo}`)).toHaveLength(40)
})
