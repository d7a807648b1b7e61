import { expect, test } from 'vitest'
import { parseDuration } from './duration-text.ts'

test.each([
  ['', null],
  [' ', null],
  ['90', 90],
  ['12:34', 754],
  [' 1:02:03 ', 3723],
  ['90:00', 5400],
  ['1:60', undefined],
  ['1:2:3:4', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['two', undefined],
  ['9999999', undefined],
])('the duration %j is %j', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})
