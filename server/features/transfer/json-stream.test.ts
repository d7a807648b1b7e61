import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MalformedFile, readJsonEntries } from './json-stream.ts'

const lists = new Set(['list'])

/** The pieces of a text that comes in chunks of so many bytes. */
async function readEntries(
  text: string,
  size = 1000,
): Promise<[name: string, index: number | null, value: unknown][]> {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const pieces: [string, number | null, unknown][] = []
  for await (const { name, index, bytes } of readJsonEntries(chunks(), lists)) {
    pieces.push([name, index, JSON.parse(bytes.toString())])
  }
  return pieces
}

test('values come whole, those of lists one by one, wherever the file is cut', () =>
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

test('a list that is none, and one of another name, are values like others', async () => {
  expect(await readEntries('{"list": "none", "other": [1, 2]}')).toEqual([
    ['list', null, 'none'],
    ['other', null, [1, 2]],
  ])
  expect(await readEntries('{}')).toEqual([])
  expect(await readEntries('\ufeff {"a":1} \n', 4)).toEqual([['a', null, 1]])
})

test.each([
  ['', 'nothing'],
  ['[]', 'a list'],
  ['"text"', 'a text'],
  ['{"a":1', 'an end that is missing'],
  ['{"list":[1,2', 'a list without an end'],
  ['{"list":[1,]}', 'a comma too many'],
  ['{"list":[,1]}', 'a comma before'],
  ['{"list":[1 2]}', 'a comma missing'],
  ['{"a":1,}', 'a comma before the end'],
  ['{"a" 1}', 'no colon'],
  ['{a:1}', 'a bare name'],
  ['{"a":1}{"b":2}', 'two objects'],
  ['{"a":1} x', 'something after'],
  ['{"a":1,"a":2}', 'a name twice'],
  ['{"\\ud800\\q":1}', 'a name that is no text'],
  [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'deep nesting'],
  [`{"a":${'['.repeat(100_000)}`, 'deep nesting without an end'],
  [`{"a":"${'x'.repeat(5_000_000)}"}`, 'a very long value'],
  [`{${Array.from({ length: 200 }, (_, n) => `"a${n}":1`).join(',')}}`, 'very many names'],
])('%.20s is refused: %s', async (text) => {
  await expect(readEntries(text)).rejects.toThrow(MalformedFile)
  await expect(readEntries(text, 100_000_000)).rejects.toThrow(MalformedFile)
})
