import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readLastOrientation, storeLastOrientation } from '../../../shared/orientation/orientation-memory.ts'
import { collectionsPage, threeCollections } from '../../../testing/collection-responses.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { expectSearchElement } from '../../../testing/search-element.tsx'
import type { ExploreSearch } from '../explore-search.ts'
import { ListTools, type ListToolsProps } from './list-tools.tsx'

const user = userEvent.setup({ delay: null })

beforeAll(() => {
  fakeDialogs()
  // jsdom has no layout to scroll.
  Element.prototype.scrollIntoView = () => {}
})
expectSearchElement()
beforeEach(() => {
  resetBrowser()
  signInAs('ana')
  fakeApi(() => [200, collectionsPage()])
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Renders the tools and returns the growing list of chosen search parameters. */
async function renderTools(search: ExploreSearch, options: Partial<ListToolsProps> = {}) {
  const chosen: ExploreSearch[] = []
  await renderPage(
    <ListTools
      label="Search"
      kind="own"
      search={search}
      onSearch={(next) => chosen.push(next)}
      // The page stays open.
      linkTo={(next) => ({ to: '.', search: next as object })}
      {...options}
    />,
  )
  return chosen
}

/** As on the page of an own collection. */
const inCollection = { isInContainer: true, hasOrientation: true } as const

const orderField = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Order' })
const shownOrder = () => orderField().selectedOptions[0]?.text
const offeredOrders = () => [...orderField().options].map(({ text }) => text)
const chips = () =>
  within(screen.getByRole('list', { name: 'Active filters' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent?.replace('Remove', ''))

test('a collection shows the order that its owner chose, and any other order stays in the address', async () => {
  const chosen = await renderTools({}, { ...inCollection, ownOrder: 'manual' })
  expect(shownOrder()).toBe('Manual order')
  for (const name of ['Newest first', 'Title', 'Manual order']) await user.selectOptions(orderField(), name)
  expect(chosen.map(({ sort }) => sort)).toEqual(['newest', 'title', undefined])
  cleanup()
  const other = await renderTools({ sort: 'newest' }, { ...inCollection, ownOrder: 'oldest' })
  expect(shownOrder()).toBe('Newest first')
  await user.selectOptions(orderField(), 'Manual order')
  expect(other.map(({ sort }) => sort)).toEqual(['manual'])
})

test('a search in a collection begins with the best match, and other lists have no manual order', async () => {
  await renderTools({ q: 'sea' }, { ...inCollection, ownOrder: 'manual' })
  expect(shownOrder()).toBe('Best match')
  expect(offeredOrders()).toContain('Manual order')
  cleanup()
  await renderTools({})
  expect(shownOrder()).toBe('Newest first')
  expect(offeredOrders()).not.toContain('Manual order')
})

test('a collection is not filtered by collection, but by orientation', async () => {
  const chosen = await renderTools({ orientation: 'bi' }, { ...inCollection, ownOrder: 'newest' })
  expect(chips()).toEqual(['Orientation: Bi'])
  await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
  expect(screen.getByRole('combobox', { name: 'Access' })).toBeTruthy()
  expect(screen.queryByRole('combobox', { name: 'Collection' })).toBeNull()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Orientation' }), 'Gay')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  expect(chosen.map(({ orientation }) => orientation)).toEqual(['gay', undefined])
})

test('where the page has a select for the orientation, it has a chip, and the dialog does not change it', async () => {
  const chosen = await renderTools({ orientation: 'sfw', untagged: true })
  expect(chips()).toEqual(['Orientation: SFW', 'Without tags'])
  await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
  expect(screen.queryByRole('combobox', { name: 'Orientation' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  expect(chosen.map(({ orientation }) => orientation)).toEqual(['sfw', 'sfw'])
})

test('removing the orientation chosen in a select also forgets it on this device', async () => {
  storeLastOrientation('sfw')
  await renderTools({ orientation: 'sfw' }, { kind: 'others', hasOrientation: true })
  await user.click(screen.getByRole('link', { name: /^Orientation: SFW/ }))
  expect(readLastOrientation()).toBe('sfw')
  cleanup()
  await renderTools({ orientation: 'sfw' })
  await user.click(screen.getByRole('link', { name: /^Orientation: SFW/ }))
  expect(readLastOrientation()).toBeUndefined()
})

test('the chip of a collection names it if the viewer may see it', async () => {
  fakeApi(({ path }) => (path === '/collections/2/' ? [200, threeCollections[1]] : [404, {}]))
  await renderTools({ collection: 2 })
  await waitFor(() => expect(chips()).toEqual(['Collection: Films']))
  cleanup()
  await renderTools({ collection: 99 })
  expect(chips()).toEqual(['In one collection'])
})

test('a collection to filter by is found among all by typing', async () => {
  const many = Array.from({ length: 120 }, (_, n) => ({
    ...(threeCollections[2] as (typeof threeCollections)[number]),
    id: n + 1,
    name: `Films of ${n + 1900}`,
  }))
  fakeApi(({ path }) => {
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 1)
    const results = many.slice(100 * (page - 1), 100 * page)
    return [200, { ...collectionsPage(results), next: page === 1 ? '/api/collections/?page=2' : null }]
  })
  const chosen = await renderTools({})
  const openFilters = () => user.click(screen.getByRole('button', { name: 'Filters' }))
  const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Collection' })
  await openFilters()
  expect(field().value).toBe('All')
  await user.click(field())
  await user.type(field(), '2019')
  const options = within(await screen.findByRole('listbox', { name: 'Collections' })).getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual(['Films of 2019'])
  await user.keyboard('{Enter}')
  expect(field().value).toBe('Films of 2019')
  expect(screen.queryByRole('listbox')).toBeNull()
  // Text that was not chosen has no effect.
  await user.type(field(), 'x')
  await user.tab()
  expect(field().value).toBe('Films of 2019')
  await user.click(screen.getByRole('button', { name: 'Apply' }))

  await openFilters()
  await user.click(field())
  await user.keyboard('{ArrowDown}{Enter}')
  expect(field().value).toBe('Films of 1900')
  await user.click(field())
  await user.click(within(screen.getByRole('listbox')).getByRole('option', { name: 'All' }))
  expect(field().value).toBe('All')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(chosen.map(({ collection }) => collection)).toEqual([120, undefined])
})

test('the button counts the filters without the search, and gets the focus when the last chip is removed', async () => {
  await renderTools({ q: 'sea', tag: 'blue', access: 'private' })
  expect(chips()).toEqual(['Search: sea', 'Tag: blue', 'Private'])
  const button = screen.getByRole('button', { name: 'Filters (2)' })
  await user.click(screen.getByRole('link', { name: /^Tag: blue/ }))
  expect(document.activeElement?.textContent).toBe('PrivateRemove')
  cleanup()
  await renderTools({ q: 'sea' })
  await user.click(screen.getByRole('link', { name: /^Search: sea/ }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filters' }))
  expect(button.isConnected).toBe(false)
})
