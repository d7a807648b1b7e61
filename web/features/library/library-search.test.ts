import { expect, test } from 'vitest'
import { isByTime, libraryListing } from './library-listing.ts'
import { readLibrarySearch } from './library-search.ts'

const listing = (address: Record<string, unknown>) => libraryListing('Ana', readLibrarySearch(address))

test('a collection or channel is newest first, and has its manual order if the address says so', () => {
  expect(listing({ collection: '5' })).toEqual({ user: 'ana', collection: 5, sort: 'newest' })
  for (const address of [{ collection: 5 }, { channel: 7 }]) {
    expect(listing({ ...address, sort: 'manual' })).toEqual({ user: 'ana', ...address, sort: 'manual' })
    expect(isByTime(readLibrarySearch({ ...address, sort: 'manual' }))).toBe(false)
  }
})

test('the whole library has no manual order', () => {
  expect(listing({ sort: 'manual' })).toEqual({ user: 'ana', watch_later: false })
  expect(listing({ sort: 'manual', tag: 'sea' })).toEqual({ user: 'ana', tag: 'sea' })
})
