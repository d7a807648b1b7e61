import { expect, test } from 'vitest'
import type { Container } from './container.ts'
import { containerPageListing } from './container-listing.ts'
import { readContainerSearch } from './container-route.ts'

const own = { kind: 'collection', id: 5, isOwner: true, listOrder: 'manual', user: { username: 'Ana' } }
const pageListing = (search: Record<string, unknown>, container: object = own) =>
  containerPageListing(container as Container, readContainerSearch(search))
const defined = (query: object) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

test('the address of a collection names every order but its own', () => {
  for (const sort of ['manual', 'newest', 'oldest', 'title', 'most_liked']) {
    expect(defined(readContainerSearch({ sort }))).toEqual({ sort })
    expect(pageListing({ sort })).toEqual({ collection: 5, sort })
  }
  expect(pageListing({})).toEqual({ collection: 5 })
})

test('filters do not change the order of a collection, and a search does', () => {
  expect(pageListing({ tag: 'sea' })).toEqual({ collection: 5, user: 'ana', tag: 'sea', sort: 'manual' })
  expect(pageListing({ tag: 'sea', sort: 'newest' })).toMatchObject({ sort: 'newest' })
  expect(pageListing({ q: 'sea' })).toMatchObject({ sort: 'relevance' })
  expect(pageListing({ tag: 'sea' }, { ...own, isOwner: false })).toEqual({
    collection: 5,
    tag: 'sea',
    sort: 'manual',
  })
})

test('a collection is filtered by orientation and not by another collection', () => {
  expect(pageListing({ orientation: 'gay', collection: '7' })).toEqual({ collection: 5, orientation: 'gay' })
})
