import { Bookmark, type getBookmark } from '@reelmark/contract/bookmarks.ts'
import { ListingPage, type listVideos } from '@reelmark/contract/listing.ts'
import fc from 'fast-check'
import fastJson from 'fast-json-stringify'
import { describe, expect, test } from 'vitest'
import { addMarks, findMarks, type JsonBytes } from './shared-responses.ts'

const names = ['is_liked', 'is_watched', 'is_in_watch_later']
type Marks = Record<string, boolean>
interface Card {
  video_id: number
}

/** Texts that look like marks, with quotes and escapes, among random ones. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '"is_liked":false,"is_watched":false,"is_in_watch_later":false',
    '\\"is_liked":false,"is_watched":false,"is_in_watch_later":false\\',
    '","is_liked":false,"is_watched":false,"is_in_watch_later":false,"x":"',
  ),
)
const id = fc.integer({ min: 1, max: 12 })
const count = fc.nat()
const video = { thumbnail_url: fc.option(text), thumbnail_large_url: fc.option(text), host: text }
const card = fc.record({
  ...video,
  id,
  video_id: id,
  title: text,
  user_username: text,
  orientation: fc.constantFrom('sfw', 'gay'),
  shape: fc.constant('unknown'),
  duration: fc.option(count),
  created_at: fc.constant('2026-01-01T00:00:00Z'),
  saves_count: count,
  likes_count: count,
  is_public: fc.boolean(),
})
const page = fc.record(
  {
    count,
    next: fc.option(text),
    previous: fc.constant(null),
    results: fc.array(card, { maxLength: 30 }),
    seed: count,
    corrected: fc.array(fc.record({ word: text, replacements: fc.array(text) }), { maxLength: 2 }),
  },
  { requiredKeys: ['count', 'next', 'previous', 'results'] },
)
const marked = fc.record(Object.fromEntries(names.map((name) => [name, fc.uniqueArray(id)])))

/** Returns the marks of a video, as the slow way to complete a response adds them. */
const marksOf = (marks: Record<string, number[]>, videoId: number): Marks =>
  Object.fromEntries(names.map((name) => [name, marks[name]?.includes(videoId) === true]))

const decode = ({ bytes }: JsonBytes): string => Buffer.from(bytes, 'latin1').toString()

describe('a response that is completed with the marks of a viewer', () => {
  test('has the same bytes as if it were serialized with them: a list', () => {
    const serialize = fastJson(ListingPage as object)
    const shown = {
      videoIds: ({ results }: { results: Card[] }) => results.map(({ video_id }) => video_id),
      add: <T extends { results: Card[] }>(reply: T, marks: Marks[]) => ({
        ...reply,
        results: reply.results.map((item, n) => ({ ...item, ...marks[n] })),
      }),
    }
    fc.assert(
      fc.property(page, marked, (value, marks) => {
        const unmarked = findMarks<typeof listVideos>(value as never, shown as never, names, serialize)
        const expected = shown.add(
          value,
          shown.videoIds(value).map((videoId) => marksOf(marks, videoId)),
        )
        expect(decode(addMarks(unmarked, marks))).toBe(serialize(expected))
      }),
      { numRuns: 300 },
    )
  })

  test('has the same bytes as if it were serialized with them: a bookmark', () => {
    const serialize = fastJson(Bookmark as object)
    const time = '2026-01-01T00:00:00Z'
    const bookmark = fc.record({
      id,
      title: text,
      description: text,
      tags: fc.array(fc.record({ id, name: text })),
      created_at: fc.constant(time),
      updated_at: fc.constant(time),
      user: fc.record({ id, username: text, avatar_url: text, is_verified: fc.boolean() }),
      video: fc.record({
        ...video,
        id,
        title: text,
        description: text,
        tags: fc.array(fc.record({ id, name: text })),
        source_url: text,
        provider: fc.option(text),
        embed_url: fc.option(text),
        player: fc.constant(null),
        start_parameter: fc.option(text),
        orientation: fc.constant('sfw'),
        shape: fc.constant('unknown'),
        duration: fc.option(count),
        width: fc.option(count),
        height: fc.option(count),
        likes_count: count,
        comments_count: count,
        saves_count: count,
        status: fc.constant('visible'),
      }),
      access: fc.constant('public'),
      is_public: fc.boolean(),
      is_held: fc.boolean(),
      collection: fc.record({ id, name: text, access: fc.constant('public') }),
      channel: fc.option(fc.record({ id, name: text })),
      embed_page_url: fc.option(text),
      start_seconds: fc.option(count),
      notes: fc.array(fc.record({ id, seconds: count, text })),
      mentions: fc.array(text),
      is_owner: fc.boolean(),
      is_liked: fc.boolean(),
    })
    const shown = {
      videoIds: (reply: { video: { id: number } }) => [reply.video.id],
      add: <T extends object>(reply: T, [marks]: Marks[]) => ({ ...reply, ...marks }),
    }
    fc.assert(
      fc.property(bookmark, marked, (value, marks) => {
        const unmarked = findMarks<typeof getBookmark>(value as never, shown as never, names, serialize)
        const expected = shown.add(value, [marksOf(marks, value.video.id)])
        expect(decode(addMarks(unmarked, marks))).toBe(serialize(expected))
      }),
      { numRuns: 300 },
    )
  })

  test('is refused if its marks do not follow each other, so that no endpoint sends a list without marks', () => {
    const shown = { videoIds: () => [7], add: () => ({ is_liked: false, other: 1, is_watched: false }) }
    expect(() => findMarks({} as never, shown as never, names, JSON.stringify)).toThrow('marks')
  })
})
