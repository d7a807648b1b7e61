import * as limits from '@reelmark/contract/protocol/limits.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch } from '../../shared/api/query-string.ts'
import {
  changeSearch,
  exploreQuery,
  isFiltered,
  isNarrowed,
  readExploreSearch,
  readListSearch,
} from './explore-search.ts'

describe("Explore's address", () => {
  it('is empty if everything is at its default', () => {
    const search = readExploreSearch({ page: '1', sort: 'all', orientation: 'all', q: '  ', seed: '5' })
    expect(stringifySearch({ ...search })).toBe('')
  })

  it('contains what was chosen', () => {
    const search = readExploreSearch(
      parseSearch('?page=3&sort=random&orientation=bi&q=42&tag=slow+tv&seed=7'),
    )
    expect(search).toEqual({ page: 3, sort: 'random', orientation: 'bi', q: '42', tag: 'slow tv', seed: 7 })
    expect(exploreQuery(search)).toEqual(search)
  })

  it('orders a search by the best match unless another order is chosen', () => {
    expect(exploreQuery(readExploreSearch({ q: 'cats' }))).toEqual({ q: 'cats', sort: 'relevance' })
    expect(exploreQuery(readExploreSearch({ q: 'cats', sort: 'following' })).sort).toBe('following')
    for (const sort of ['newest', 'all']) {
      const search = readExploreSearch({ q: 'cats', sort })
      expect(stringifySearch({ ...search })).toContain('sort=newest')
      expect(exploreQuery(search).sort).toBe('newest')
    }
    expect(stringifySearch({ ...readExploreSearch({ q: 'cats', sort: 'relevance' }) })).not.toContain('sort')
    // Without a search, the order is the default one again.
    expect(exploreQuery(readExploreSearch({ sort: 'newest' }))).toEqual({})
    expect(exploreQuery(readExploreSearch({ sort: 'relevance' }))).toEqual({})
  })

  it('contains order and filters', () => {
    const address =
      '?sort=longest&host=vimeo.com&min_duration=60&max_duration=600&saved_after=2025-01-01&saved_before=2025-02-01&literal=true'
    const search = readExploreSearch(parseSearch(address))
    expect(exploreQuery(search)).toEqual({
      sort: 'longest',
      host: 'vimeo.com',
      min_duration: 60,
      max_duration: 600,
      saved_after: '2025-01-01',
      saved_before: '2025-02-01',
      literal: true,
    })
    // Another search is corrected again.
    expect(changeSearch(search, { q: 'cats' }).literal).toBeUndefined()
  })

  it('contains the filters of own bookmarks', () => {
    const address =
      '?q=cats&tag=sea&watched=false&access=private&collection=7&untagged=true&no_picture=true&no_player=true'
    const search = readListSearch(parseSearch(address))
    expect(exploreQuery(search)).toEqual({
      q: 'cats',
      sort: 'relevance',
      tag: 'sea',
      watched: false,
      access: 'private',
      collection: 7,
      untagged: true,
      no_picture: true,
      no_player: true,
    })
    expect(stringifySearch({ ...search })).toBe(address)
    expect(isFiltered(search)).toBe(true)
    expect(
      isFiltered(readListSearch({ page: '2', orientation: 'sfw', sort: 'title', untagged: 'false' })),
    ).toBe(false)
  })

  it('is not in the order of a collection by which it filters', () => {
    expect(exploreQuery(readListSearch({ collection: '7' }))).toEqual({ collection: 7, sort: 'newest' })
    expect(exploreQuery(readListSearch({ collection: '7', sort: 'title' })).sort).toBe('title')
  })

  it('knows whether only an orientation is chosen', () => {
    const search = readListSearch({ orientation: 'gay', sort: 'title', literal: 'true' })
    expect([isFiltered(search), isNarrowed(search)]).toEqual([false, true])
    expect(isNarrowed({ ...search, orientation: undefined })).toBe(false)
  })

  it('contains a whole link, which is longer than a search may be', () => {
    const link = `https://films.example.org/${'x'.repeat(500)}`
    expect(readExploreSearch({ q: link }).q).toBe(link)
    expect(readExploreSearch({ q: `about ${link}` }).q).toHaveLength(limits.searchMax)
  })

  it.each([
    ['page', '0'],
    ['page', '-2'],
    ['page', '1.5'],
    ['page', '1e3'],
    ['page', '99999999999999999999'],
    ['sort', 'best'],
    ['orientation', 'landscape'],
    ['min_duration', '-1'],
    ['max_duration', '8640001'],
    ['saved_after', 'tomorrow'],
    ['saved_before', '2025-13-01'],
    ['saved_before', '2025-02-30'],
    ['watched', 'maybe'],
    ['literal', 'no'],
  ])('ignores a %s of %s', (name, value) => {
    expect(exploreQuery(readExploreSearch({ [name]: value }))).toEqual({})
  })

  it.each([
    [{ min_duration: 600, max_duration: 10 }, {}],
    [{ min_duration: 600, max_duration: 0 }, {}],
    [
      { min_duration: 600, max_duration: 600 },
      { min_duration: 600, max_duration: 600 },
    ],
    [{ saved_after: '2025-02-01', saved_before: '2025-01-01' }, {}],
    [{ saved_after: '2025-02-01', saved_before: '2025-02-01' }, {}],
    [
      { saved_before: '2025-02-01', max_duration: 10 },
      { saved_before: '2025-02-01', max_duration: 10 },
    ],
    [
      { saved_after: '2025-02-01', min_duration: 10 },
      { saved_after: '2025-02-01', min_duration: 10 },
    ],
  ])('reads %j without ranges that end before they begin, which the API refuses', (search, query) => {
    expect(exploreQuery(readExploreSearch(search))).toEqual(query)
  })

  it('drops characters that no endpoint accepts', () => {
    expect(readExploreSearch({ q: '\0' }).q).toBeUndefined()
    expect(readExploreSearch({ q: 'a\0b', tag: '\ud800' })).toMatchObject({ q: 'ab', tag: '\ufffd' })
    expect(readExploreSearch({ q: `x${'🎬'.repeat(200)}` }).q?.isWellFormed()).toBe(true)
  })

  it('returns every key, so that invalid parameters are removed from the address', () => {
    expect(new Set(Object.keys(readExploreSearch({ page: 'abc' })))).toEqual(
      new Set([
        'page',
        'sort',
        'orientation',
        'q',
        'tag',
        'host',
        'min_duration',
        'max_duration',
        'saved_after',
        'saved_before',
        'watched',
        'access',
        'collection',
        'untagged',
        'no_picture',
        'no_player',
        'literal',
        'seed',
      ]),
    )
  })

  it('returns to the first page with a new seed when anything else changes', () => {
    const search = readExploreSearch({ page: '4', sort: 'random', seed: '7', tag: 'x' })
    expect(exploreQuery(changeSearch(search, { orientation: 'sfw' }))).toEqual({
      sort: 'random',
      tag: 'x',
      orientation: 'sfw',
    })
  })

  it('reads back what it wrote, for any input', () => {
    fc.assert(
      fc.property(fc.record({ q: fc.string(), tag: fc.string(), page: fc.nat().map(String) }), (typed) => {
        const search = readExploreSearch(typed)
        expect(readExploreSearch(parseSearch(stringifySearch({ ...search })))).toEqual(search)
      }),
    )
  })
})
