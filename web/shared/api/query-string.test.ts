import { expect, it } from 'vitest'
import { parseSearch, stringifySearch } from './query-string.ts'

it('writes addresses as a plain form does', () => {
  expect(stringifySearch({ q: 'two words & more', page: 2 })).toBe('?q=two+words+%26+more&page=2')
})

it('leaves out what is not set', () => {
  expect(stringifySearch({ q: undefined, tag: null, sort: '' })).toBe('')
})

it('reads back what it wrote, a number-like search as the text it is', () => {
  expect(parseSearch(stringifySearch({ q: '42', tag: 'a=b#c%20' }))).toEqual({ q: '42', tag: 'a=b#c%20' })
})
