import type { Collection } from '@reelmark/contract/collections.ts'
import { beforeEach, expect, test } from 'vitest'
import { threeCollections } from '../../testing/saving.ts'
import { likelyPlace, nowhere, rememberPlace } from './place.ts'

beforeEach(() => localStorage.clear())
const noWish = { preferred: null }

test('where nothing says where a bookmark belongs, one chooses', () => {
  expect(likelyPlace(threeCollections, noWish)).toEqual(nowhere)
})

test('the last place is offered again', () => {
  rememberPlace({ collection: 2, channel: 22 })
  expect(likelyPlace(threeCollections, noWish)).toEqual({ collection: 2, channel: 22 })
})

test('in the collection chosen in the settings one saves where one did last, else in its first channel', () => {
  expect(likelyPlace(threeCollections, { preferred: 2 })).toEqual({ collection: 2, channel: 21 })
  expect(likelyPlace(threeCollections, { preferred: 3 })).toEqual({ collection: 3, channel: null })
  rememberPlace({ collection: 2, channel: 22 })
  expect(likelyPlace(threeCollections, { preferred: 2 })).toEqual({ collection: 2, channel: 22 })
})

test('the only collection is the place, whatever is kept to be watched later', () => {
  const [vault, films] = threeCollections as [Collection, Collection]
  const later = { ...films, is_watch_later: true }
  expect(likelyPlace([vault, later], noWish)).toEqual({ collection: 1, channel: 11 })
  expect(likelyPlace([later], noWish)).toEqual(nowhere)
})

test('a place that is gone is not offered', () => {
  rememberPlace({ collection: 99, channel: 1 })
  expect(likelyPlace(threeCollections, noWish)).toEqual(nowhere)
  rememberPlace({ collection: 2, channel: 99 })
  expect(likelyPlace(threeCollections, noWish)).toEqual({ collection: 2, channel: null })
})

test("the collection chosen in the settings goes before the last place, a channel of the video's name before both", () => {
  rememberPlace({ collection: 2, channel: 22 })
  expect(likelyPlace(threeCollections, { ...noWish, preferred: 1 })).toEqual({ collection: 1, channel: 11 })
  expect(likelyPlace(threeCollections, { ...noWish, preferred: 1, channelName: ' shorts' })).toEqual({
    collection: 2,
    channel: 21,
  })
})
