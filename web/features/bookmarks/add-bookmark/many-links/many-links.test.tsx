import * as limits from '@reelmark/contract/protocol/limits.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftPrefix } from '../../../../shared/forms/draft-store.ts'
import { answerSupportingRequests, bigBuckBunny } from '../../../../testing/collection-responses.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../../testing/fake-session.ts'
import { renderPage } from '../../../../testing/render-page.tsx'
import { AddBookmarkPage } from '../add-bookmark-page.tsx'
import type { AddBookmarkSearch } from '../add-bookmark-search.ts'
import { readLinks, withoutLinks } from './links-text.ts'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Page({ start }: { start: AddBookmarkSearch }) {
  const [search, setSearch] = useState(start)
  return <AddBookmarkPage search={search} onTab={(tab) => setSearch({ tab })} />
}

interface Answers {
  extract?: (url: string) => FakeAnswer | undefined
  save?: () => FakeAnswer | Promise<FakeAnswer>
  /** Links that the viewer has saved. */
  known?: string[]
}

let lastId = 0

function startFakeServer({ extract, save, known = [] }: Answers = {}) {
  return fakeApi((request) => {
    const [path = '', query = ''] = request.path.split('?')
    if (path === '/bookmarks/extract-metadata/') {
      const { url } = request.body as { url: string }
      const video = { ...bigBuckBunny.video, source_url: url, title: `Film at ${url}` }
      return extract?.(url) ?? [200, { ...bigBuckBunny, video }]
    }
    if (path === '/bookmarks/saved/') {
      const bookmark = {
        id: 70,
        title: 'Saved before',
        collection: { id: 1, name: 'My Vault' },
        channel: null,
      }
      const isKnown = known.includes(new URLSearchParams(query).get('url') ?? '')
      return [200, { bookmarks: isKnown ? [bookmark] : [], others: null }]
    }
    if (path === '/bookmarks/') {
      lastId += 1
      const { video } = request.body as { video: { title: string } }
      return save?.() ?? [201, { id: lastId, title: video.title }]
    }
    return answerSupportingRequests(request)
  })
}

const savesOf = (requests: FakeRequest[]) =>
  requests.filter(({ path }) => path === '/bookmarks/').map(({ body }) => body as SaveBody)
interface SaveBody {
  video: { source_url: string; orientation: string }
  bookmark: { access: string; tags: string[]; channel_id: number | null }
}

async function paste(text: string) {
  await renderPage(<Page start={{ tab: 'url' }} />)
  await user.click(await screen.findByLabelText('Video URL'))
  await user.paste(text)
  return screen.findByRole('heading', { name: 'Save many links' })
}

const field = () => screen.getByLabelText('Video links')
const rows = () => within(screen.getByRole('list', { name: 'Links' })).getAllByRole('listitem')
const rowTexts = () => rows().map((row) => row.textContent)
const chooseChannel = async () => {
  await screen.findByRole('option', { name: 'My Vault' })
  await user.selectOptions(screen.getByLabelText('Collection'), 'My Vault')
}

test('several pasted links are saved with common values, and leave the field', async () => {
  const requests = startFakeServer()
  expect(await paste('One https://a.example/1,\ntwo https://a.example/2')).toBe(document.activeElement)
  await chooseChannel()
  await user.type(screen.getByLabelText('Tags'), 'list, films')
  await user.selectOptions(screen.getByLabelText('Access'), 'Private')
  await user.click(await screen.findByRole('button', { name: 'Save 2 links' }))
  expect(await screen.findByText('2 saved.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Film at https://a.example/2' })).toBeTruthy()
  expect(field()).toHaveProperty('value', '')
  expect(savesOf(requests).map(({ video, bookmark }) => [video.source_url, bookmark])).toEqual(
    ['https://a.example/1', 'https://a.example/2'].map((url) => [
      url,
      expect.objectContaining({ access: 'private', tags: ['list', 'films'], channel_id: 11 }),
    ]),
  )
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.getByLabelText('Video URL')).toHaveProperty('value', '')
})

test('links in the vault are not saved again, and can be removed together', async () => {
  startFakeServer({ known: ['https://a.example/1'] })
  await paste('https://a.example/1 https://a.example/2')
  expect(await screen.findByText('1 to save, 1 already in your vault.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Saved before' }).getAttribute('href')).toBe('/bookmarks/70')
  await user.click(screen.getByRole('button', { name: 'Remove 1 already saved' }))
  expect(field()).toHaveProperty('value', 'https://a.example/2')
  await waitFor(() => expect(rowTexts()).toEqual(['https://a.example/2Ready to save']))
})

test('a link that fails stays with its reason, and is saved by trying again', async () => {
  let isFailing = true
  const requests = startFakeServer({
    extract: (url) =>
      isFailing && url.endsWith('/1')
        ? [422, { error: 'Failed to extract', code: 'extraction-failed' }]
        : undefined,
  })
  await paste('https://a.example/1\nhttps://a.example/2')
  await chooseChannel()
  await user.click(await screen.findByRole('button', { name: 'Save 2 links' }))
  expect(await screen.findByText('Not saved: Failed to extract')).toBeTruthy()
  await waitFor(() => expect(field()).toHaveProperty('value', 'https://a.example/1'))
  cleanup()
  // A new tab has no session storage.
  sessionStorage.clear()
  signInAs('alice')
  await renderPage(<Page start={{ tab: 'url' }} />)
  expect(await screen.findByLabelText('Video links')).toHaveProperty('value', 'https://a.example/1')
  isFailing = false
  await chooseChannel()
  await user.click(await screen.findByRole('button', { name: 'Save 1 link' }))
  expect(await screen.findByText('1 saved.')).toBeTruthy()
  expect(savesOf(requests)).toHaveLength(2)
})

test('at the rate limit the rest waits', async () => {
  let extracts = 0
  const requests = startFakeServer({
    extract: () => {
      extracts += 1
      return extracts > 3 ? [429, { detail: 'Slow down.', code: 'rate-limited' }] : undefined
    },
  })
  const text = Array.from({ length: 30 }, (_, index) => `https://a.example/${index}`).join('\n')
  await paste(text)
  await chooseChannel()
  expect(await screen.findByText(/5 more links will follow/)).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: `Save ${limits.linksAtOnceMax} links` }))
  expect((await screen.findAllByText('Not saved: Slow down.')).length).toBeGreaterThan(0)
  await screen.findByRole('button', { name: /^Save \d+ links$/ })
  expect(savesOf(requests)).toHaveLength(3)
  expect(readLinks((field() as HTMLTextAreaElement).value)).toHaveLength(27)
  expect(extracts).toBeLessThan(10)
})

test('the end of saving leaves the user in the field that has the focus', async () => {
  const { promise, resolve } = Promise.withResolvers<FakeAnswer>()
  startFakeServer({ save: () => promise })
  await paste('https://a.example/1 https://a.example/2')
  await chooseChannel()
  await user.click(await screen.findByRole('button', { name: 'Save 2 links' }))
  const tags = screen.getByLabelText('Tags')
  await user.click(tags)
  resolve([201, { id: 9, title: 'A film' }])
  expect(await screen.findByText('2 saved.')).toBeTruthy()
  // The focus would move in a timeout.
  await new Promise((done) => setTimeout(done))
  expect(document.activeElement).toBe(tags)
})

test('a link is added while others wait, and they come back', async () => {
  startFakeServer()
  await paste('https://a.example/1 https://a.example/2')
  await user.click(screen.getByRole('button', { name: 'Add one link instead' }))
  expect(screen.getByText('2 links not saved yet')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show them' }))
  expect(field()).toHaveProperty('value', 'https://a.example/1 https://a.example/2')
  await user.click(screen.getByRole('button', { name: 'Discard links' }))
  expect(screen.queryByText('2 links not saved yet')).toBeNull()
  expect(screen.getByLabelText('Video URL')).toBeTruthy()
})

test('two tabs edit the same links', async () => {
  startFakeServer()
  await paste('https://a.example/1 https://a.example/2')
  const draft = draftPrefix + 'alice:add-bookmark-links'
  // As another tab does when it has saved the first link.
  const storeInOtherTab = (value: object | null) => {
    if (value === null) localStorage.removeItem(draft)
    else localStorage.setItem(draft, JSON.stringify(value))
    fireEvent(window, new StorageEvent('storage', { key: draft }))
  }
  storeInOtherTab({ text: 'https://a.example/2', edited: {} })
  expect(field()).toHaveProperty('value', 'https://a.example/2')
  await user.type(field(), ' https://a.example/3')
  expect(JSON.parse(localStorage.getItem(draft) ?? '')).toMatchObject({
    text: 'https://a.example/2 https://a.example/3',
  })
  storeInOtherTab(null)
  expect(field()).toHaveProperty('value', '')
  expect(localStorage.getItem(draft)).toBeNull()
})

test('links are found in any text, each once, and removed without the text around the others', () => {
  const text = 'A: https://a.example/1, B: (https://a.example/2)\n\nhttps://a.example/1 ftp://a.example/3'
  expect(readLinks(text)).toEqual(['https://a.example/1', 'https://a.example/2'])
  expect(withoutLinks(text, ['https://a.example/1'])).toBe('A: , B: (https://a.example/2)\nftp://a.example/3')
  expect(withoutLinks(text, ['https://a.example/1', 'https://a.example/2'])).toBe('')
  expect(withoutLinks('https://a.example/1 https://a.example/12', ['https://a.example/1'])).toBe(
    'https://a.example/12',
  )
})
