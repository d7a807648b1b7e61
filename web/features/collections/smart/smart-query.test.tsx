import type { SmartQuery } from '@reelmark/contract/smart-collections.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collectionsPage } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { searchLink } from './search-link.ts'
import { isChosen, QueryDescription, smartQueryOf } from './smart-query.ts'

beforeEach(() => {
  resetBrowser()
  signInAs('ana')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const shown = () => screen.getByTestId('page').textContent
async function render(query: object, answer: FakeAnswer = [200, collectionsPage()]) {
  const api = fakeApi(() => answer)
  await renderPage(<QueryDescription query={{ scope: 'own', ...query }} username="ana" />)
  return api
}

test('a smart collection names the collection or channel that it searches', async () => {
  await render({ collection: 2, q: 'sea' })
  await waitFor(() => expect(shown()).toBe('Your bookmarks · “sea” · In Films'))
  cleanup()
  await render({ channel: 21, orientation: 'sfw' })
  await waitFor(() => expect(shown()).toBe('Your bookmarks · SFW · In Shorts'))
})

test('a deleted collection, or one whose name cannot be read, is described without a name', async () => {
  for (const answer of [
    [200, collectionsPage()],
    [500, {}],
  ] satisfies FakeAnswer[]) {
    const api = await render({ collection: 99, channel: 98 }, answer)
    await waitFor(() => expect(api).not.toHaveLength(0))
    expect(shown()).toBe('Your bookmarks · In one collection · In one channel')
    cleanup()
  }
})

test('the search of a smart collection opens with all its filters, in the library if it searches one collection', () => {
  const open = (query: Omit<SmartQuery, 'scope'>, scope: SmartQuery['scope'] = 'own') =>
    JSON.parse(JSON.stringify(searchLink({ scope, ...query }, 'ana')))
  const params = { username: 'ana' }
  expect(open({ q: 'sea' })).toEqual({ to: '/users/$username', params, search: { q: 'sea' } })
  expect(open({ tag: 'blue' }, 'liked').search).toEqual({ tab: 'liked', tag: 'blue' })
  const inCollection = { collection: 2, tag: 'blue', sort: 'title' } as const
  expect(open(inCollection)).toEqual({ to: '/library', search: inCollection })
  expect(open({ channel: 21, q: 'sea' })).toEqual({ to: '/library', search: { channel: 21, q: 'sea' } })
})

test('a list that is only ordered can be saved, and leaves out Watch Later if the list does', () => {
  const query = smartQueryOf({ user: 'ana', sort: 'title', watch_later: false }, 'Ana')
  expect(query).toEqual({ scope: 'own', sort: 'title', watch_later: false })
  expect(query && isChosen(query)).toBe(true)
  expect(smartQueryOf({ sort: 'random', seed: 5 }, 'ana')).toEqual({ scope: 'all', sort: 'random' })
})

test('a list without a search, a filter or an order is not offered to be saved', () => {
  for (const listing of [
    { user: 'ana', watch_later: false },
    { liked_by: 'ana' },
    { orientation: 'all' } as const,
  ]) {
    const query = smartQueryOf(listing, 'ana')
    expect([listing, query && isChosen(query)]).toEqual([listing, false])
  }
})
