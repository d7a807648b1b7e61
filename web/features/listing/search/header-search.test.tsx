import type { Suggestions } from '@reelmark/contract/suggestions.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { expectSearchElement } from '../../../testing/search-element.tsx'
import { HeaderSearch } from './header-search.tsx'

const user = userEvent.setup({ delay: null })

const nothing: Suggestions = { tags: [], users: [], uploaders: [], collections: [], videos: [], own: [] }
const found: Suggestions = {
  tags: [{ name: 'slow cinema', uses_count: 3 }],
  users: [
    { id: 1, username: 'slowpoke', avatar_url: '/media/default.jpg', is_verified: false, followers_count: 2 },
  ],
  uploaders: [{ name: 'Slow TV Norway' }],
  collections: [{ id: 4, name: 'Slow films', access: 'private', user_username: 'mara' }],
  videos: [
    {
      id: 9,
      title: 'A slow train',
      thumbnail_url: null,
      orientation: 'sfw',
      user_username: 'mara',
      is_public: true,
    },
  ],
  own: [],
}

expectSearchElement()
beforeEach(() => {
  resetBrowser()
  // jsdom does not implement scrolling.
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const field = () => screen.getByLabelText<HTMLInputElement>('Search', { selector: 'input' })
/** Returns the text of a suggestion without the placeholder of its thumbnail. */
const textOf = (option: Element) =>
  [...option.querySelectorAll(':scope > span')].map(({ textContent }) => textContent).join(' ')
const options = () => screen.queryAllByRole('option').map(textOf)
const active = () => {
  const id = field().getAttribute('aria-activedescendant')
  const option = id === null ? null : document.getElementById(id)
  return option === null ? null : textOf(option)
}

/** Renders the field at a path, focuses it, and waits for what is loaded then. */
async function openField(path: string, answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>) {
  const requests = fakeApi(answer)
  const page = await renderPage(<HeaderSearch />, { path })
  await user.click(field())
  await screen.findByRole('combobox', { name: 'Search' })
  return { page, requests }
}

test('the field keeps the order and filters of Explore when the browser submits it without scripts', async () => {
  const address =
    '/explore?q=film&sort=longest&tag=slow+tv&host=vimeo.com&min_duration=90&watched=false&orientation=sfw&page=2'
  fakeApi(() => [200, nothing])
  await renderPage(<HeaderSearch />, { path: address })
  const { form } = field()
  if (form === null) throw new Error('no form')
  expect(form.getAttribute('action')).toBe('/explore')
  expect(Object.fromEntries(new FormData(form))).toEqual({
    q: 'film',
    sort: 'longest',
    tag: 'slow tv',
    host: 'vimeo.com',
    min_duration: '90',
    watched: 'false',
  })
})

test('a search from any page opens Explore, and an empty one does nothing', async () => {
  const { page } = await openField('/settings', () => [200, nothing])
  await user.type(field(), '   {Enter}')
  expect(page.path()).toBe('/settings')
  await user.type(field(), 'slow train{Enter}')
  await waitFor(() => expect(page.path()).toMatch(/^\/explore\?q=.*slow.train$/))
})

test('suggestions are grouped, end with the search itself, and mark what was typed', async () => {
  const { requests } = await openField('/contact', () => [200, found])
  await user.type(field(), 'slow')
  expect(options()).toEqual(['Search all for “slow”'])
  await screen.findByRole('group', { name: 'Tags' })
  expect(options()).toEqual([
    'Slow films ',
    'A slow train mara',
    'slowpoke',
    'Slow TV Norway',
    'slow cinema 3 bookmarks',
    'Search all for “slow”',
  ])
  expect(screen.getByRole('img', { name: 'Private' })).toBeTruthy()
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    'Slow',
    'slow',
    'slowpoke',
    'Slow',
    'slow',
  ])
  expect(screen.getByRole('status').textContent).toBe('6 suggestions')
  expect(screen.getByRole('option', { name: /slow cinema/ }).getAttribute('href')).toBe(
    '/explore?tag=slow+cinema',
  )
  expect(screen.getByRole('option', { name: 'Slow TV Norway' }).getAttribute('href')).toBe(
    '/explore?q=channel%3A%22Slow+TV+Norway%22',
  )
  expect(screen.getByRole('option', { name: /A slow train/ }).getAttribute('href')).toBe('/bookmarks/9')
  // One request, without adult content, because the visitor did not confirm their age.
  expect(requests.map(({ path }) => path)).toEqual(['/suggestions/?q=slow&orientation=sfw'])
})

test('arrow keys choose a suggestion, Home and typing return to the text, Enter opens it, Escape closes the list', async () => {
  const { page } = await openField('/contact', () => [200, found])
  await user.type(field(), 'slow')
  await screen.findByRole('group', { name: 'People' })
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(active()).toBe('slowpoke')
  await user.keyboard('{Home}')
  expect(active()).toBeNull()
  await user.keyboard('{ArrowUp}')
  expect(active()).toBe('Search all for “slow”')
  await user.keyboard('{Escape}')
  expect(options()).toEqual([])
  expect(field().getAttribute('aria-expanded')).toBe('false')
  expect(field().value).toBe('slow')
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(field().value).toBe('slow')
  await screen.findByRole('option', { name: 'slowpoke', selected: true })
  await user.keyboard('{Enter}')
  await waitFor(() => expect(page.path()).toBe('/users/slowpoke'))
})

test('after channel: the field suggests uploaders only, and completes the chosen name', async () => {
  const { requests } = await openField('/contact', () => [200, found])
  await user.type(field(), 'cats channel:slow t')
  expect(screen.queryByRole('option', { name: 'Slow TV Norway' })).toBeNull()
  await user.clear(field())
  await user.type(field(), 'cats channel:"slow t')
  await screen.findByRole('option', { name: 'Slow TV Norway' })
  expect(options()).toEqual(['Slow TV Norway'])
  expect(requests.at(-1)?.path).toBe('/suggestions/?q=slow+t&orientation=sfw')
  await user.keyboard('{ArrowDown}{Enter}')
  expect(field().value).toBe('cats channel:"Slow TV Norway" ')
})

test('the field suggests operators, which arrow keys and Enter insert without searching', async () => {
  const { page } = await openField('/contact', () => [200, nothing])
  await user.type(field(), 'cats -lo')
  expect(screen.getByRole('option', { name: /^longer:/ }).getAttribute('aria-selected')).toBe('false')
  await user.keyboard('{ArrowDown}')
  expect(field().getAttribute('aria-activedescendant')).toBe(
    screen.getByRole('option', { name: /^longer:/, selected: true }).id,
  )
  await user.keyboard('{Enter}')
  expect(field().value).toBe('cats -longer:')
  expect(field().getAttribute('aria-expanded')).toBe('false')
  expect(page.path()).toBe('/contact')
  await user.keyboard('10m{Enter}')
  await waitFor(() => expect(page.path()).toMatch(/longer%3A10m$/))
})

test('an outdated request is aborted, and a failed one leaves the text and the search as they are', async () => {
  const { page, requests } = await openField('/contact', ({ path }) =>
    path.includes('slower') ? [500, { detail: 'Broken' }] : new Promise(() => {}),
  )
  await user.type(field(), 'slow')
  await waitFor(() => expect(requests).toHaveLength(1))
  await user.type(field(), 'er')
  await waitFor(() => expect(requests).toHaveLength(2))
  expect(requests[0]?.signal?.aborted).toBe(true)
  await waitFor(() => expect(options()).toEqual(['Search all for “slower”']))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(field().value).toBe('slower')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(page.path()).toMatch(/q=.*slower/))
})

test.each(['https://youtu.be/aqz-KE-bpKQ', 'youtu.be/aqz-KE-bpKQ'])(
  'a signed-in user who pastes %s and presses Enter saves the video',
  async (link) => {
    signInAs('ana')
    const { page } = await openField('/contact', () => [200, { bookmark: null }])
    await user.paste(link)
    expect(active()).toMatch(/^Save this video/)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(page.path()).toMatch(/^\/bookmarks\/create\?.*youtu\.be/))
    expect(decodeURIComponent(page.path())).toContain('url=https://youtu.be/aqz-KE-bpKQ')
  },
)

test('for a visitor who pastes the link of a known video, the first suggestion is to watch it', async () => {
  const { page } = await openField('/contact', () => [200, { bookmark: { id: 12, title: 'Big Buck Bunny' } }])
  await user.paste('https://youtu.be/aqz-KE-bpKQ')
  await screen.findByRole('option', { name: 'Watch “Big Buck Bunny”' })
  expect(screen.getByRole('option', { name: /^Save this video/ })).toBeTruthy()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(page.path()).toBe('/bookmarks/12'))
})

test("a signed-in user's own bookmarks come first, and not again among those of everyone", async () => {
  signInAs('mara')
  const own = found.videos.map((video) => ({
    ...video,
    collection_name: 'Trains',
    created_at: new Date().toISOString(),
  }))
  await openField('/contact', () => [200, { ...found, own }])
  await user.type(field(), 'slow')
  await screen.findByRole('group', { name: 'Yours' })
  expect(options()[0]).toMatch(/^A slow train Trains/)
  expect(screen.queryByRole('group', { name: 'Everyone' })).toBeNull()
})

test('a link that the user saved before leads to the bookmark, and can be saved again', async () => {
  signInAs('ana')
  const saved = {
    id: 31,
    collection: { id: 2, name: 'Films', access: 'public' },
    channel: null,
    created_at: '2026-11-03T10:00:00Z',
  }
  const { page } = await openField('/contact', ({ path }) =>
    path.startsWith('/bookmarks/saved/')
      ? [200, { bookmarks: [saved], others: null }]
      : [200, { bookmark: null }],
  )
  await user.paste('https://youtu.be/aqz-KE-bpKQ')
  expect(await screen.findByRole('option', { name: /^You saved this on .*2026 in Films/ })).toBeTruthy()
  expect(screen.getByRole('option', { name: /^Save it to another collection/ })).toBeTruthy()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(page.path()).toBe('/bookmarks/31'))
})

test('text typed before the suggestions were loaded is used', async () => {
  fakeApi(() => [200, nothing])
  await renderPage(<HeaderSearch />, { path: '/contact' })
  field().focus()
  field().value = 'early'
  expect(await screen.findByRole('option', { name: 'Search all for “early”' })).toBeTruthy()
})

test('text typed while the suggestions are rendered is used', async () => {
  fakeApi(() => [200, nothing])
  await renderPage(<HeaderSearch />, { path: '/contact' })
  const input = field()
  const setAttribute = input.setAttribute.bind(input)
  input.setAttribute = (name, value) => {
    // The role is set between the rendering of the list and the moment from which it listens to the field.
    if (name === 'role') input.value = 'early'
    setAttribute(name, value)
  }
  input.focus()
  expect(await screen.findByRole('option', { name: 'Search all for “early”' })).toBeTruthy()
})
