import { expect, test } from 'vitest'
import './limit-json-nesting.ts'

const hostile = [
  ['lists with several elements', '[1,'],
  ['objects with several properties', '{"a":1,"b":'],
  ['lists of lists', '['],
  ['brackets after strings with quotes', '["\\"]\\\\",'],
] as const

test.each(hostile)('%s, nested 60,000 deep, are refused and do not end the process', (_name, piece) => {
  for (let round = 0; round < 20; round++)
    expect(() => JSON.parse(piece.repeat(60_000).slice(0, -1))).toThrow(SyntaxError)
})

test('texts that are not nested deeply are parsed as before', () => {
  const nested = `${'[1,'.repeat(900)}2${']'.repeat(900)}`
  const value = { nested: JSON.parse(nested), text: '[{"'.repeat(10_000), lists: Array(20_000).fill([{}]) }
  const json = JSON.stringify(value)
  expect(JSON.parse(json)).toEqual(value)
  expect(JSON.parse(json, (key, inner) => (key === 'text' ? 'revived' : inner)).text).toBe('revived')
  expect(() => JSON.parse(`${json},`)).toThrow(SyntaxError)
})
