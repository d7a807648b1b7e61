import { expect, test } from 'vitest'
import { readCaseKey } from './case-search.ts'

test('a case of a video is found by its id, which may be as large as ids can be', () => {
  expect(readCaseKey('video-4503599627370495')).toEqual({ kind: 'video', id: 4_503_599_627_370_495 })
  expect(readCaseKey('comment-7')).toEqual({ kind: 'comment', id: 7 })
})

test.each(['video-', 'video-0', 'video-9007199254740992', 'video-1x', 'film-1', 12])(
  'no case has the key %j',
  (key) => {
    expect(readCaseKey(key)).toBeNull()
  },
)
