import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MalformedFile, readJsonEntries } from './json-stream.ts'

const lists = new Set(['list'])

/** Returns the entries of a text that arrives in chunks of `size` bytes. */
async function readEntries(
  text: string,
  size = 1000,
): Promise<[name: string, index: number | null, value: unknown][]> {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const entries: [string, number | null, unknown][] = []
  for await (const { name, index, bytes } of readJsonEntries(chunks(), lists)) {
    entries.push([name, index, JSON.parse(bytes.toString())])
  }
  return entries
}

test('values are read whole and lists element by element, at whatever byte the chunks are divided', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({ head: fc.jsonValue({ maxDepth: 4 }), list: fc.array(fc.jsonValue({ maxDepth: 4 })) }),
      fc.constantFrom(0, 1, 2),
      fc.integer({ min: 1, max: 50 }),
      async (file, space, size) => {
        expect(await readEntries(JSON.stringify(file, null, space), size)).toEqual(
          JSON.parse(
            JSON.stringify([
              ['head', null, file.head],
              ['list', null, []],
              ...file.list.map((value, index) => ['list', index, value]),
            ]),
          ),
        )
      },
    ),
    { numRuns: 300 },
  ))

test('a listed name without a list, and a list with another name, are read as plain values', async () => {
  expect(await readEntries('{"list": "none", "other": [1, 2]}')).toEqual([
    ['list', null, 'none'],
    ['other', null, [1, 2]],
  ])
  expect(await readEntries('{}')).toEqual([])
  expect(await readEntries('\ufeff {"a":1} \n', 4)).toEqual([['a', null, 1]])
})

test.each([
  ['', 'empty'],
  ['[]', 'a list'],
  ['"text"', 'a string'],
  ['{"a":1', 'not closed'],
  ['{"list":[1,2', 'a list that is not closed'],
  ['{"list":[1,]}', 'a trailing comma in a list'],
  ['{"list":[,1]}', 'a leading comma in a list'],
  ['{"list":[1 2]}', 'a missing comma'],
  ['{"a":1,}', 'a trailing comma'],
  ['{"a" 1}', 'a missing colon'],
  ['{a:1}', 'an unquoted name'],
  ['{"a":1}{"b":2}', 'two objects'],
  ['{"a":1} x', 'text after the object'],
  ['{"a":1,"a":2}', 'a duplicate name'],
  ['{"\\ud800\\q":1}', 'an invalid name'],
  [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'deep nesting'],
  [`{"a":${'['.repeat(100_000)}`, 'deep nesting that is not closed'],
  [`{"a":"${'x'.repeat(5_000_000)}"}`, 'a very long value'],
  [`{${Array.from({ length: 200 }, (_, n) => `"a${n}":1`).join(',')}}`, 'too many names'],
])('%.20s is refused: %s', async (text) => {
  await expect(readEntries(text)).rejects.toThrow(MalformedFile)
  await expect(readEntries(text, 100_000_000)).rejects.toThrow(MalformedFile)
})
