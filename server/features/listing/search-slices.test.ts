import { orientations } from '@reelmark/contract/protocol/fields.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import {
  allTimeSlices,
  orientationKey,
  randomSlices,
  type SearchIndex,
  type Slice,
  type SlicedOrder,
  sampleKey,
  timeKeysBetween,
  timeSlices,
} from './search-slices.ts'

let site: TestApp

beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

/** Returns the keys of bookmarks with these times (microseconds) and positions, as the database computes them. */
async function databaseKeys(
  times: number[],
  positions: number[],
  index: SearchIndex = 'public',
): Promise<number[][]> {
  const keys =
    index === 'public'
      ? site.db`search_keys(at, position, 'bi', at, '')`
      : site.db`vault_cells(at, position, '', '')`
  const rows = await site.db<{ keys: number[] }[]>`
    select ${keys} as keys
      from unnest(${times}::float8[], ${positions}::float8[]) with ordinality as rows (time, position, n),
           lateral (select timestamptz 'epoch' + time * interval '1 microsecond') times (at) order by n`
  return rows.map(({ keys }) => keys)
}

/** Returns the only slice that contains one of the keys. */
function sliceOf({ slices, whole }: SlicedOrder, keys: number[]): number {
  expect(
    whole.some((key) => keys.includes(key)),
    'the whole contains it',
  ).toBe(true)
  const containing = slices.flatMap((slice, index) =>
    slice.some((key) => keys.includes(key)) ? [index] : [],
  )
  expect(containing, 'slices do not overlap').toHaveLength(1)
  return containing[0] as number
}

const time = fc.integer({ min: Date.UTC(1965, 0), max: Date.UTC(2095, 0) }).map((ms) => ms * 1000)
const kind = fc.constantFrom('lead' as const, 'own' as const)
/** How many rows are read: each cell is a slice, or not. */
const rowCount = fc.constantFrom(26, 10_001)
const position = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

test('slices of time contain each older or newer bookmark once, in the order of the results', async () => {
  await fc.assert(
    fc.asyncProperty(
      kind,
      time,
      fc.array(time, { minLength: 1 }),
      rowCount,
      async (of, from, times, count) => {
        const keys = await databaseKeys(
          times,
          times.map(() => 0),
        )
        const rows = times.map((at, index) => ({ at, keys: keys[index] ?? [] })).sort((a, b) => b.at - a.at)
        const order = (slices: SlicedOrder, found: typeof rows) =>
          found.map((row) => sliceOf(slices, row.keys))
        const ascending = (numbers: number[]) => [...numbers].sort((a, b) => a - b)
        const older = order(
          timeSlices(of, from, 'older', count),
          rows.filter(({ at }) => at <= from),
        )
        expect(older).toEqual(ascending(older))
        const newer = order(
          timeSlices(of, from, 'newer', count),
          rows.filter(({ at }) => at >= from).reverse(),
        )
        expect(newer).toEqual(ascending(newer))
        // Without a cursor, also those with a time in the future, or before the oldest.
        const all = order(allTimeSlices(of, from, 'older', count), rows)
        expect(all).toEqual(ascending(all))
        const reverse = order(allTimeSlices(of, from, 'newer', count), rows.toReversed())
        expect(reverse).toEqual(ascending(reverse))
      },
    ),
    { numRuns: 60, seed: 5 },
  )
})

test('slices of the random order contain each bookmark between two positions once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('public' as const, 'own' as const),
      position,
      position,
      fc.array(position, { minLength: 1 }),
      async (index, from, to, positions) => {
        const between = positions
          .filter((at) => at >= Math.min(from, to) && at <= Math.max(from, to))
          .sort((a, b) => (to < from ? b - a : a - b))
        const keys = await databaseKeys(
          between.map(() => 0),
          between,
          index,
        )
        const found = keys.map((row) => sliceOf(randomSlices(index, from, to), row))
        expect(found).toEqual([...found].sort((a, b) => a - b))
      },
    ),
    { numRuns: 60, seed: 5 },
  )
})

/** Returns how many cells of the finest level of lead times a slice contains. */
function cells(slice: Slice): number {
  // The keys of the finest level begin at 19 << 20, above all others.
  const level = (key: number) => (key >= 19 << 20 ? 0 : 1 + (key >> 20))
  return slice.reduce((sum, key) => sum + 8 ** level(key), 0)
}

test('each slice of time is at most eight times as long as those before it together', () => {
  fc.assert(
    fc.property(time, (from) => {
      const { slices } = timeSlices('lead', from, 'older', 26)
      expect(slices.length).toBeLessThan(28)
      let before = 0
      for (const slice of slices) {
        if (before > 0) expect(cells(slice)).toBeLessThanOrEqual(before * 8)
        before += cells(slice)
      }
    }),
  )
})

test('where many rows are read, no slice of time is longer than a fifth of those before it, or than 16 days', () => {
  const cellsIn16Days = 8 ** 3
  fc.assert(
    fc.property(time, (from) => {
      const { slices } = timeSlices('lead', from, 'older', 10_001)
      expect(slices.length).toBeLessThan(320)
      let before = 0
      for (const slice of slices) {
        expect(slice).toHaveLength(1)
        if (cells(slice) > cellsIn16Days) expect(cells(slice)).toBeLessThanOrEqual(before / 5)
        before += cells(slice)
      }
    }),
  )
})

test('samples and orientations have the keys of the database', async () => {
  const [[first] = [], [last] = []] = [await databaseKeys([0], [0]), await databaseKeys([0], [0.9999])]
  const shares = [32_768, 4096, 512, 64] as const
  expect(first).toEqual(expect.arrayContaining(shares.map(sampleKey)))
  expect(last).not.toEqual(expect.arrayContaining([sampleKey(64)]))
  for (const orientation of orientations) {
    const [row] = await site.db`select search_keys(now(), 0.5, ${orientation}, now(), '') as keys`
    expect(row?.keys).toContain(orientationKey(orientation))
  }
})

test.each([
  ['ox elk', 'the ox, elk and bee', true],
  ['ox elk bee', 'Ox Élk bee', true],
  ['ox bee', 'ox elk bee', false],
  ['and/or else', 'this and or else that', true],
  ['東京都', '東京都に行く', true],
  ['ox', 'elk', true],
])('the keys of the phrase “%s” in “%s”: %s', async (phrase, title, contained) => {
  const [row] = await site.db`
    select search_keys(now(), 0.5, 'sfw', now(), bookmark_search_vector(${title}, '', '{}', 'owner', 'everyone', 'example.org', null))
             @> word_pair_keys(search_query(${phrase}, true)) as contained`
  expect(row?.contained).toBe(contained)
})

test('the cells between two times contain the times between them, and none that is a cell or more away', async () => {
  await fc.assert(
    fc.asyncProperty(time, time, fc.array(time, { minLength: 1 }), async (one, other, random) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)]
      const cell = 6 * 3_600_000_000
      const times = [first, last, first - cell, last + cell, ...random]
      const keys = timeKeysBetween(first, last)
      expect(keys.length).toBeLessThan(110)
      const found = (
        await databaseKeys(
          times,
          times.map(() => 0),
        )
      ).map((own) => own.filter((key) => keys.includes(key)).length)
      for (const [n, at] of times.entries()) {
        if (at >= first && at <= last) expect(found[n]).toBe(1)
        // Times outside the range of the keys are in the first or last cell.
        else if (first >= cell && (at <= first - cell || at >= last + cell)) expect(found[n]).toBe(0)
      }
    }),
    { numRuns: 100 },
  )
})

test('the index of own bookmarks contains the words of a query for their owner, also with quotes, backslashes and control characters', async () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'B', ' ', "'", '\\', ':', '"', 'é', '京', '\u0001'),
    minLength: 1,
  })
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, '$&$&')}'`
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt(1n, 1n << 52n).map(String),
      fc.uniqueArray(word, { minLength: 2 }),
      async (user, [other = '', ...words]) => {
        const [row] = await site.db`
          select words @@ own_query(all_words, id) as has_all, words @@ own_query(other, id) as has_other,
                 words @@ own_query(other || all_words, id) as has_either, words @@ own_query(!!other, id) as lacks_other,
                 owner_group(id) as owner_group, vault_lexemes(id, '', '') as without_words
            from (select ${user}::bigint as id, ${words.map(quote).join(' & ')}::text::tsquery as all_words,
                         ${quote(other)}::text::tsquery as other) query,
                 vault_lexemes(id, array_to_tsvector(${words}::text[]), '') words`
        expect(row).toEqual({
          has_all: true,
          has_other: false,
          has_either: true,
          lacks_other: true,
          owner_group: expect.stringMatching(/^[À-Ï]$/),
          without_words: '',
        })
      },
    ),
    { numRuns: 100 },
  )
})
