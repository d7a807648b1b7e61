import { expect, test } from 'vitest'
import { profileListing, readProfileSearch } from './profile-search.ts'

const listing = (address: Record<string, unknown>, isOwn = false) =>
  profileListing('Ana', readProfileSearch(address), isOwn)

test('the bookmarks of one collection are newest first, and in its manual order if the address says so, also for visitors', () => {
  for (const isOwn of [true, false]) {
    expect(listing({ collection: '5' }, isOwn)).toEqual({ user: 'ana', collection: 5, sort: 'newest' })
    expect(listing({ collection: '5', sort: 'manual' }, isOwn)).toEqual({
      user: 'ana',
      collection: 5,
      sort: 'manual',
    })
  }
})

test('all bookmarks of a profile, and its liked videos, have no manual order', () => {
  expect(listing({ sort: 'manual' })).toEqual({ user: 'ana' })
  expect(listing({ tab: 'liked', collection: '5', sort: 'manual' })).toEqual({
    liked_by: 'ana',
    collection: 5,
    sort: 'newest',
  })
})
