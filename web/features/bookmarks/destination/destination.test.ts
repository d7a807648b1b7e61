import type { Collection } from '@reelmark/contract/collections.ts'
import { beforeEach, expect, test } from 'vitest'
import { threeCollections } from '../../../testing/collection-responses.ts'
import { noDestination, storeLastDestination, suggestDestination } from './destination.ts'

beforeEach(() => localStorage.clear())
const noPreference = { preferred: null }

test('where nothing says where a bookmark belongs, one chooses', () => {
  expect(suggestDestination(threeCollections, noPreference)).toEqual(noDestination)
})

test('the last place is offered again', () => {
  storeLastDestination({ collection: 2, channel: 22 })
  expect(suggestDestination(threeCollections, noPreference)).toEqual({ collection: 2, channel: 22 })
})

test('in the collection chosen in the settings one saves where one did last, else in its first channel', () => {
  expect(suggestDestination(threeCollections, { preferred: 2 })).toEqual({ collection: 2, channel: 21 })
  expect(suggestDestination(threeCollections, { preferred: 3 })).toEqual({ collection: 3, channel: null })
  storeLastDestination({ collection: 2, channel: 22 })
  expect(suggestDestination(threeCollections, { preferred: 2 })).toEqual({ collection: 2, channel: 22 })
})

test('the only collection is the place, whatever is kept to be watched later', () => {
  const [vault, films] = threeCollections as [Collection, Collection]
  const later = { ...films, is_watch_later: true }
  expect(suggestDestination([vault, later], noPreference)).toEqual({ collection: 1, channel: 11 })
  expect(suggestDestination([later], noPreference)).toEqual(noDestination)
})

test('a place that is gone is not offered', () => {
  storeLastDestination({ collection: 99, channel: 1 })
  expect(suggestDestination(threeCollections, noPreference)).toEqual(noDestination)
  storeLastDestination({ collection: 2, channel: 99 })
  expect(suggestDestination(threeCollections, noPreference)).toEqual({ collection: 2, channel: null })
})

test("the collection chosen in the settings goes before the last place, a channel of the video's name before both", () => {
  storeLastDestination({ collection: 2, channel: 22 })
  expect(suggestDestination(threeCollections, { ...noPreference, preferred: 1 })).toEqual({
    collection: 1,
    channel: 11,
  })
  expect(
    suggestDestination(threeCollections, { ...noPreference, preferred: 1, channelName: ' shorts' }),
  ).toEqual({
    collection: 2,
    channel: 21,
  })
})
