import { expect, test } from 'vitest'
import { chooseDestination } from './choose-destination.ts'

const collection = (id: number, channels: number[], isWatchLater = false) => ({
  id,
  name: `Collection ${id}`,
  access: 'public' as const,
  isWatchLater,
  channels: channels.map((channel) => ({ id: channel, name: `Channel ${channel}` })),
})
const collections = [
  collection(9, [], true),
  collection(1, [11, 12]),
  collection(2, [21, 22]),
  collection(3, []),
]
const account = { collections, preferredCollection: null }

test('the first collection other than Watch Later is chosen, with its first channel', () => {
  expect(chooseDestination(account, null)).toEqual({ collection: 1, channel: 11 })
  expect(chooseDestination({ ...account, collections: [] }, null)).toBeNull()
  expect(chooseDestination({ ...account, collections: collections.slice(0, 1) }, null)).toEqual({
    collection: 9,
    channel: null,
  })
})

test('the last destination is chosen again, also without a channel', () => {
  expect(chooseDestination(account, { collection: 2, channel: 22 })).toEqual({ collection: 2, channel: 22 })
  expect(chooseDestination(account, { collection: 2, channel: null })).toEqual({
    collection: 2,
    channel: null,
  })
})

test('the collection of the settings precedes the last one', () => {
  const settings = { ...account, preferredCollection: 2 }
  expect(chooseDestination(settings, { collection: 1, channel: 12 })).toEqual({ collection: 2, channel: 21 })
  expect(chooseDestination(settings, { collection: 2, channel: 22 })).toEqual({ collection: 2, channel: 22 })
})

test('what no longer exists is not chosen', () => {
  expect(chooseDestination(account, { collection: 7, channel: 71 })).toEqual({ collection: 1, channel: 11 })
  expect(chooseDestination(account, { collection: 2, channel: 71 })).toEqual({ collection: 2, channel: 21 })
})
