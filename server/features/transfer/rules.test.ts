import { expect, test } from 'vitest'
import { clampTimestamp, type ExistingCollection, matchChannels, matchCollections } from './rules.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['2020-02-29T12:00:00.654321Z', '2020-02-29T12:00:00.654321Z'],
  ['2020-02-29T12:00:00Z', '2020-02-29T12:00:00.000Z'],
  ['2020-02-29 14:00:00.5+02:00', '2020-02-29T12:00:00.500Z'],
  ['2020-02-29t12:00:00.1234567891z', '2020-02-29T12:00:00.123456Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ['2026-11-21T12:00:00.000001Z', '2026-11-21T12:00:00.000001Z'],
  ['2999-01-01T00:00:00.123456Z', '2026-11-21T12:00:00.000Z'],
  ['0000-01-01T00:00:00.123456Z', '1970-01-01T00:00:00.000Z'],
  ['2020-01-01T00:00:00-23:59', '2020-01-01T23:59:00.000Z'],
])('%s is stored as %s', (text, timestamp) => {
  expect(clampTimestamp(text, now)).toBe(timestamp)
})

const existing = (
  id: number,
  name: string,
  access: 'public' | 'private',
  is_empty = false,
): ExistingCollection => ({
  id,
  name,
  access,
  is_empty,
})
const ids = (found: ({ id: number } | null)[]) => found.map((item) => item?.id ?? null)

test('collections of the file are matched with existing ones by name and access, each once', () => {
  const existingCollections = [
    existing(1, 'A', 'public'),
    existing(2, 'A', 'private'),
    existing(3, 'A', 'public'),
    existing(4, '__proto__', 'public'),
  ]
  expect(
    ids(
      matchCollections(
        [
          { name: 'A', access: 'private' },
          { name: 'A', access: 'public' },
          { name: '__proto__', access: 'public' },
          { name: 'A', access: 'public' },
          { name: 'A', access: 'public' },
          { name: 'constructor', access: 'public' },
        ],
        existingCollections,
      ),
    ),
  ).toEqual([2, 1, 4, 3, null, null])
})

test('a private collection never matches a public one with bookmarks: only an empty one becomes private', () => {
  const collections = [{ name: 'A', access: 'private' as const }]
  expect(ids(matchCollections(collections, [existing(1, 'A', 'public')]))).toEqual([null])
  expect(ids(matchCollections(collections, [existing(1, 'A', 'public', true)]))).toEqual([1])
  expect(
    ids(matchCollections([{ name: 'A', access: 'public' }], [existing(1, 'A', 'private', true)])),
  ).toEqual([null])
})

test('channels are matched by name, each once', () => {
  const channels = [
    { id: 1, name: 'General' },
    { id: 2, name: 'General' },
  ]
  expect(ids(matchChannels([...channels, { name: 'General' }, { name: 'Other' }], channels))).toEqual([
    1,
    2,
    null,
    null,
  ])
})
