import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MalformedFile, readJsonEntries } from './json-stream.ts'

const lists = new Set(['list'])

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Returns the entries of a text that arrives in chunks of `size` bytes. */
async function readEntries(
  text: string | Buffer,
  size = 1000,
): Promise<[name: string, index: number | null, value: unknown][]> {
  const entries: [string, number | null, unknown][] = []
  for await (const { name, index, value } of readJsonEntries(inChunks(Buffer.from(text), size), lists)) {
    entries.push([name, index, value])
  }
  return entries
}

test('values are read whole and lists element by element, wherever the file is cut', () =>
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
              ...file.list.map((value, index) => ['list', index, value]),
              ['list', null, []],
            ]),
          ),
        )
      },
    ),
    { numRuns: 300 },
  ))

test('a list of another name and a value in place of a list are read as single values', async () => {
  expect(await readEntries('{"list": "none", "other": [1, 2]}')).toEqual([
    ['list', null, 'none'],
    ['other', null, [1, 2]],
  ])
  expect(await readEntries('{"list": {"0": 1}, "a": {"list": [1]}}')).toEqual([
    ['list', null, { 0: 1 }],
    ['a', null, { list: [1] }],
  ])
  expect(await readEntries('{}')).toEqual([])
  expect(await readEntries('\ufeff {"a":1} \n', 4)).toEqual([['a', null, 1]])
})

test('a member called __proto__ is read as a member and changes no prototype', async () => {
  const [[, , value] = []] = await readEntries('{"a":{"__proto__":{"title":"x"}}}')
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test.each([
  { problem: 'an empty file', text: '', message: "The file isn't a JSON object." },
  { problem: 'a list', text: '[]', message: "The file isn't a JSON object." },
  { problem: 'a text', text: '"text"', message: "The file isn't a JSON object." },
  { problem: 'a missing end', text: '{"a":1', message: "The file isn't valid JSON at its end." },
  { problem: 'a list without an end', text: '{"list":[1,2' },
  { problem: 'an extra comma at the end of a list', text: '{"list":[1,]}' },
  { problem: 'a comma before the first element', text: '{"list":[,1]}' },
  {
    problem: 'a missing comma',
    text: '{"list":[1 2]}',
    message: "The file isn't valid JSON near byte 11.",
  },
  { problem: 'a comma before the end', text: '{"a":1,}' },
  { problem: 'a missing colon', text: '{"a" 1}' },
  { problem: 'a name without quotes', text: '{a:1}' },
  { problem: 'two objects', text: '{"a":1}{"b":2}' },
  { problem: 'text after the end', text: '{"a":1} x' },
  { problem: 'a name twice', text: '{"a":1,"a":2}', message: 'Duplicate item.', field: 'a' },
  { problem: 'an invalid escape', text: '{"\\ud800\\q":1}' },
  { problem: 'a line break in a text', text: '{"a":"b\nc"}' },
  { problem: 'invalid UTF-8', text: Buffer.from('{"a":"\xff"}', 'latin1') },
  {
    problem: 'deep nesting',
    text: `{"a":1,"b":${'['.repeat(40)}${']'.repeat(40)}}`,
    message: 'This is nested too deeply.',
    field: 'b',
  },
  { problem: 'deep nesting without an end', text: `{"a":${'['.repeat(100_000)}` },
  {
    problem: 'a very long value',
    text: `{"a":1,"b":"${'x'.repeat(5_000_000)}"}`,
    message: 'This is too long.',
    field: 'b',
  },
  { problem: 'a very long value of escapes', text: `{"a":"${'\\\\'.repeat(2_500_000)}"}` },
  { problem: 'a very long number', text: `{"a":${'1'.repeat(5_000_000)}}` },
  { problem: 'a very long name', text: `{"${'x'.repeat(5_000_000)}":1}` },
  {
    problem: 'very many names',
    text: `{${Array.from({ length: 200 }, (_, n) => `"a${n}":1`).join(',')}}`,
    message: 'The file has too many fields.',
  },
])(
  'a file with $problem is refused',
  async ({ text, message = expect.any(String), field = expect.toBeOneOf([null, 'a', 'list']) }) => {
    for (const size of [1000, 100_000_000]) {
      const error = await readEntries(text, size).catch((failure: unknown) => failure)
      expect(error).toBeInstanceOf(MalformedFile)
      expect(error).toMatchObject({ message, field })
    }
  },
)

test('memory does not grow with the length of the file', { tags: 'heavy' }, async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  async function* longFile() {
    yield Buffer.from('{"list":[0')
    const elements = Buffer.from(
      `,${JSON.stringify({ title: 'x'.repeat(1000), tags: ['a', 'b'] })}`.repeat(60),
    )
    for (let read = 0; read < 24 * 1024 * 1024; read += elements.length) yield elements
    yield Buffer.from(']}')
  }
  const usedMegabytes: number[] = []
  for await (const { index } of readJsonEntries(longFile(), lists)) {
    if (index === null || index % 5000 !== 2000) continue
    collectGarbage()
    usedMegabytes.push(process.memoryUsage().heapUsed / 1024 / 1024)
  }
  expect(usedMegabytes.length).toBeGreaterThanOrEqual(5)
  expect((usedMegabytes.at(-1) ?? 0) - (usedMegabytes[0] ?? 0)).toBeLessThan(3)
})
