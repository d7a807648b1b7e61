import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Collection } from '@reelmark/contract/collections.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collectionsPage, threeCollections } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { dismissToast } from '../../../ui/toast.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { CollectDialog } from './collect-dialog.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  for (let id = 1; id < 50; id++) dismissToast(id)
  vi.unstubAllGlobals()
})

function TestPage() {
  const [open, setOpen] = useState(true)
  return (
    <>
      <CollectDialog bookmark={{ id: 7, title: 'Sintel' }} open={open} onClose={() => setOpen(false)} />
      <Toaster />
    </>
  )
}

const ownBookmark = { ...sampleBookmark, id: 31, collection: { id: 2, name: 'Films', access: 'public' } }

async function openDialog() {
  const page = await renderPage(<TestPage />)
  return { page, dialog: within(await screen.findByRole('dialog', { name: 'Add to Collection' })) }
}

async function renderDialog(
  collect: FakeAnswer[],
  override?: (request: FakeRequest) => FakeAnswer | undefined,
) {
  const requests = fakeApi((request) => {
    const fakeReply = override?.(request)
    if (fakeReply !== undefined) return fakeReply
    if (request.path === '/bookmarks/collect/') return collect.shift() ?? [500, {}]
    return request.path.startsWith('/collections/') ? [200, collectionsPage()] : [404, {}]
  })
  const { page, dialog } = await openDialog()
  await user.click(await dialog.findByRole('button', { name: 'More options' }))
  await dialog.findByRole('option', { name: 'Films' })
  const collectRequests = () => requests.filter(({ path }) => path === '/bookmarks/collect/')
  return { page, dialog, collectRequests, requests }
}

const pressAdd = () => user.click(screen.getByRole('button', { name: 'Add to Collection' }))
const chooseOption = (label: string, option: string) =>
  user.selectOptions(screen.getByLabelText(label), option)

test('a collection must be chosen before anything is sent', async () => {
  const { dialog, collectRequests } = await renderDialog([])
  await pressAdd()
  expect(dialog.getByRole('alert').textContent).toBe('Please select a collection.')
  expect(dialog.getByLabelText('Collection')).toBe(document.activeElement)
  expect(collectRequests()).toEqual([])
})

test('a collection without a channel is sent with null, and a toast links to the new bookmark', async () => {
  const { page, dialog, collectRequests } = await renderDialog([[201, ownBookmark]])
  expect(dialog.getByLabelText('Channel')).toHaveProperty('disabled', true)
  await chooseOption('Collection', 'Films')
  await pressAdd()
  expect(await screen.findByText('Added to Films, public.')).toBeTruthy()
  expect(collectRequests()[0]?.body).toEqual({ bookmark: 7, collection: 2, channel: null })
  expect(screen.queryByRole('dialog')).toBeNull()
  const link = screen.getByRole('link', { name: 'View Bookmark' })
  expect(link.getAttribute('href')).toBe('/bookmarks/31')
  await user.click(link)
  await waitFor(() => expect(page.path()).toBe('/bookmarks/31'))
})

test('a held bookmark is announced as waiting for review', async () => {
  await renderDialog([[201, { ...ownBookmark, is_held: true }]])
  await chooseOption('Collection', 'Films')
  await pressAdd()
  const expectedText = 'Added to Films. It will be public after a quick review.'
  expect(await screen.findByText(expectedText)).toBeTruthy()
})

test('a channel of the collection can be chosen', async () => {
  const { collectRequests } = await renderDialog([[201, ownBookmark]])
  await chooseOption('Collection', 'Films')
  await chooseOption('Channel', 'Blender')
  await pressAdd()
  expect(await screen.findByText('Added to Films, public.')).toBeTruthy()
  expect(collectRequests()[0]?.body).toEqual({ bookmark: 7, collection: 2, channel: 22 })
})

test.for<[string, FakeAnswer, string]>([
  [
    'field errors',
    [400, { code: 'invalid', collection: ['Not yours.'], channel: ['Not in it.'] }],
    'Not yours. Not in it.',
  ],
  ['a lost connection', 'offline', 'Failed to add bookmark.'],
  [
    'a server fault',
    [500, { detail: 'Something went wrong on our side.', code: 'internal-error' }],
    'Failed to add bookmark.',
  ],
  ['an empty response', [400, {}], 'Failed to add bookmark.'],
])('a failure shows its error and keeps the choice: %s', async ([, answer, text]) => {
  const { dialog } = await renderDialog([answer])
  await chooseOption('Collection', 'Films')
  await pressAdd()
  const alert = await dialog.findByRole('alert')
  expect(alert.textContent).toBe(text)
  expect(document.activeElement).toBe(alert)
  expect(dialog.getByLabelText('Collection')).toHaveProperty('value', '2')
})

test('a retry after a lost connection uses the same key, and after a response a new one', async () => {
  const { dialog, collectRequests } = await renderDialog([
    'offline',
    [400, { code: 'invalid', collection: ['Full.'] }],
    [201, ownBookmark],
  ])
  await chooseOption('Collection', 'Films')
  await pressAdd()
  await dialog.findByText('Failed to add bookmark.')
  await pressAdd()
  await dialog.findByText('Full.')
  await pressAdd()
  await screen.findByText('Added to Films, public.')
  const [first, second, third] = collectRequests().map(({ headers }) => headers['idempotency-key'])
  expect(first).toBe(second)
  expect(third).not.toBe(second)
})

test('an existing bookmark is reported with a link to it', async () => {
  const { dialog } = await renderDialog([
    [409, { detail: 'You already saved this video here.', code: 'already-saved', bookmark_id: 31 }],
  ])
  await chooseOption('Collection', 'Films')
  await pressAdd()
  expect((await dialog.findByRole('alert')).textContent).toContain('You already saved this video here.')
  expect(dialog.getByRole('link', { name: 'View Bookmark' }).getAttribute('href')).toBe('/bookmarks/31')
})

test('a collection can be created in the dialog and is then chosen', async () => {
  const [vault] = threeCollections
  const created = { ...(vault as Collection), id: 9, name: 'Sea', channels: [] }
  let answers = 0
  const { dialog, collectRequests, requests } = await renderDialog(
    [[201, ownBookmark]],
    ({ method, path }) => {
      if (answers > 1)
        return path.startsWith('/collections/')
          ? [200, collectionsPage([...threeCollections, created])]
          : undefined
      if (method !== 'POST' || path !== '/collections/') return undefined
      return ++answers === 1
        ? [400, { code: 'invalid', name: ['You have one of this name.'] }]
        : [201, created]
    },
  )
  await user.click(dialog.getByRole('button', { name: 'New collection' }))
  const name = dialog.getByLabelText('Collection name')
  expect(document.activeElement).toBe(name)
  await user.keyboard('{Enter}')
  expect(dialog.getByRole('alert').textContent).toBe('Name is required.')
  await user.type(name, ' Sea {Enter}')
  expect(await dialog.findByText('You have one of this name.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Create collection' }))
  await waitFor(() => expect(dialog.getByLabelText('Collection')).toHaveProperty('value', '9'))
  expect(document.activeElement).toBe(dialog.getByLabelText('Collection'))
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'Sea', access: 'public' })
  await pressAdd()
  await screen.findByText('Added to Films, public.')
  expect(collectRequests()[0]?.body).toEqual({ bookmark: 7, collection: 9, channel: null })
})

/** The button of the collection `Films` with the label of its lock. */
const privateFilms = /^Films ?Private$/

/** Opens the list of collections for a bookmark; the default access of the viewer is public. */
async function renderList({
  bookmark = sampleBookmark,
  inPrivate = false,
}: {
  bookmark?: Bookmark
  inPrivate?: boolean
} = {}) {
  signInAs('alice', { profile: { default_bookmark_access: 'public' } })
  const collections = threeCollections.map((item) =>
    item.name === 'Films' && inPrivate ? { ...item, access: 'private' as const } : item,
  )
  const requests = fakeApi(({ path, body }) => {
    if (path === '/bookmarks/7/') return [200, bookmark]
    if (path.startsWith('/collections/')) return [200, collectionsPage(collections)]
    if (path !== '/bookmarks/collect/') return [200, { bookmarks: [], others: null }]
    const { access } = body as { access?: string }
    const collection = { id: 2, name: 'Films', access: inPrivate ? 'private' : 'public' }
    return [201, { ...ownBookmark, access, collection }]
  })
  const { dialog } = await openDialog()
  await dialog.findByRole('button', { name: inPrivate ? privateFilms : 'Films' })
  const collected = () => requests.find(({ path }) => path === '/bookmarks/collect/')?.body
  return { dialog, collected }
}

test('the list shows the access of the copy, and the message says that it is public', async () => {
  const { dialog, collected } = await renderList()
  expect(dialog.getByLabelText('Access')).toHaveProperty('value', 'public')
  expect(dialog.getByText('Anyone can see this bookmark, unless its collection is private.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Films' }))
  expect(await screen.findByText('Added to Films, public.')).toBeTruthy()
  expect(collected()).toEqual({ bookmark: 7, collection: 2, channel: null, access: 'public' })
})

test('a copy can be made private in the list', async () => {
  const { dialog, collected } = await renderList()
  await chooseOption('Access', 'Private')
  expect(dialog.getByText('Only you can see this bookmark.')).toBeTruthy()
  await user.type(dialog.getByLabelText('Find or create a collection'), 'films{Enter}')
  expect(await screen.findByText('Added to Films, private.')).toBeTruthy()
  expect(collected()).toMatchObject({ access: 'private' })
})

test('the chosen access is the same with all options', async () => {
  const { dialog } = await renderList()
  await chooseOption('Access', 'Private')
  await user.click(dialog.getByRole('button', { name: 'More options' }))
  expect(await dialog.findByLabelText('Access')).toHaveProperty('value', 'private')
})

test('a public copy in a private collection is announced as private', async () => {
  const { dialog } = await renderList({ inPrivate: true })
  await user.click(dialog.getByRole('button', { name: privateFilms }))
  const text = 'Added to Films, private because its collection is private.'
  expect(await screen.findByText(text)).toBeTruthy()
})

test('the copy of a private bookmark is private unless its owner chooses otherwise', async () => {
  const bookmark: Bookmark = { ...sampleBookmark, is_owner: true, access: 'private', is_public: false }
  const { dialog, collected } = await renderList({ bookmark })
  expect(dialog.getByLabelText('Access')).toHaveProperty('value', 'private')
  await user.click(dialog.getByRole('button', { name: 'Films' }))
  await screen.findByText('Added to Films, private.')
  expect(collected()).toMatchObject({ access: 'private' })
})

test.for<[string, boolean, FakeAnswer, string]>([
  [
    'deletes the new collection',
    true,
    [200, { moved: 0, trashed: 0 }],
    'Removed from Sea, which was deleted.',
  ],
  [
    'retains the new collection if it has other bookmarks by then',
    true,
    [409, { code: 'not-empty', bookmarks_count: 1 }],
    'Removed from Sea.',
  ],
  ['retains a collection that existed', false, [500, {}], 'Removed from Films.'],
])('Undo after collecting in the list %s', async ([, isNew, deletion, text]) => {
  signInAs('alice', { profile: { default_bookmark_access: 'public' } })
  const requests = fakeApi(({ method, path }) => {
    if (path === '/bookmarks/7/') return [200, sampleBookmark]
    if (method === 'DELETE') return path === '/collections/9/' ? deletion : [204, null]
    if (method === 'POST' && path === '/collections/')
      return [201, { ...threeCollections[2], id: 9, name: 'Sea' }]
    if (path.startsWith('/collections/')) return [200, collectionsPage()]
    return path === '/bookmarks/collect/' ? [201, ownBookmark] : [200, { bookmarks: [], others: null }]
  })
  const { dialog } = await openDialog()
  await dialog.findByRole('button', { name: 'Films' })
  await user.type(dialog.getByLabelText('Find or create a collection'), isNew ? 'Sea{Enter}' : 'Films{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText(`${text} It's in the trash for 30 days.`)).toBeTruthy()
  const deleted = requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
  expect(deleted).toEqual(['/bookmarks/31/', ...(isNew ? ['/collections/9/'] : [])])
})
