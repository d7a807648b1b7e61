import { expect, it } from 'vitest'
import { parseSearch, stringifySearch } from './query-string.ts'

it('writes search parameters as an HTML form does', () => {
  expect(stringifySearch({ q: 'two words & more', page: 2 })).toBe('?q=two+words+%26+more&page=2')
})

it('omits parameters without a value', () => {
  expect(stringifySearch({ q: undefined, tag: null, sort: '' })).toBe('')
})

it('reads back what it wrote, and keeps a search for a number as text', () => {
  expect(parseSearch(stringifySearch({ q: '42', tag: 'a=b#c%20' }))).toEqual({ q: '42', tag: 'a=b#c%20' })
})
