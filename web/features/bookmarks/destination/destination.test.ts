import type { Collection } from '@reelmark/contract/collections.ts'
import { beforeEach, expect, test } from 'vitest'
import { threeCollections } from '../../../testing/collection-responses.ts'
import { noDestination, storeLastDestination, suggestDestination } from './destination.ts'

beforeEach(() => localStorage.clear())
const noPreference = { preferred: null }

test('without any hint, no destination is suggested', () => {
  expect(suggestDestination(threeCollections, noPreference)).toEqual(noDestination)
})

test('the last destination is suggested again', () => {
  storeLastDestination({ collection: 2, channel: 22 })
  expect(suggestDestination(threeCollections, noPreference)).toEqual({ collection: 2, channel: 22 })
})

test('in the profile’s default collection, the last channel is suggested, else its first', () => {
  expect(suggestDestination(threeCollections, { preferred: 2 })).toEqual({ collection: 2, channel: 21 })
  expect(suggestDestination(threeCollections, { preferred: 3 })).toEqual({ collection: 3, channel: null })
  storeLastDestination({ collection: 2, channel: 22 })
  expect(suggestDestination(threeCollections, { preferred: 2 })).toEqual({ collection: 2, channel: 22 })
})

test('the only collection besides Watch Later is suggested', () => {
  const [vault, films] = threeCollections as [Collection, Collection]
  const later = { ...films, is_watch_later: true }
  expect(suggestDestination([vault, later], noPreference)).toEqual({ collection: 1, channel: 11 })
  expect(suggestDestination([later], noPreference)).toEqual(noDestination)
})

test('a deleted destination is not suggested', () => {
  storeLastDestination({ collection: 99, channel: 1 })
  expect(suggestDestination(threeCollections, noPreference)).toEqual(noDestination)
  storeLastDestination({ collection: 2, channel: 99 })
  expect(suggestDestination(threeCollections, noPreference)).toEqual({ collection: 2, channel: null })
})

test('the default collection precedes the last one, and a channel named like the video’s precedes both', () => {
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
