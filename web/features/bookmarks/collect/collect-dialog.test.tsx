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
import { dismissToast, Toaster } from '../../../ui/toast.tsx'
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

async function renderDialog(collect: FakeAnswer[], other?: (request: FakeRequest) => FakeAnswer | undefined) {
  const requests = fakeApi((request) => {
    const fakeReply = other?.(request)
    if (fakeReply !== undefined) return fakeReply
    if (request.path === '/bookmarks/collect/') return collect.shift() ?? [500, {}]
    return request.path.startsWith('/collections/') ? [200, collectionsPage()] : [404, {}]
  })
  const page = await renderPage(<TestPage />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Add to Collection' }))
  await dialog.findByRole('option', { name: 'Films' })
  const sent = () => requests.filter(({ path }) => path === '/bookmarks/collect/')
  return { page, dialog, sent, requests }
}

const pressAdd = () => user.click(screen.getByRole('button', { name: 'Add to Collection' }))
const chooseOption = (label: string, option: string) =>
  user.selectOptions(screen.getByLabelText(label), option)

test('a collection is asked for before anything is sent', async () => {
  const { dialog, sent } = await renderDialog([])
  await pressAdd()
  expect(dialog.getByRole('alert').textContent).toBe('Please select a collection.')
  expect(dialog.getByLabelText('Collection')).toBe(document.activeElement)
  expect(sent()).toEqual([])
})

test('without a channel null is sent; it worked, says so, and leads to one’s own bookmark', async () => {
  const { page, dialog, sent } = await renderDialog([[201, ownBookmark]])
  expect(dialog.getByLabelText('Channel')).toHaveProperty('disabled', true)
  await chooseOption('Collection', 'Films')
  await pressAdd()
  expect(await screen.findByText('Added to Films.')).toBeTruthy()
  expect(sent()[0]?.body).toEqual({ bookmark: 7, collection: 2, channel: null })
  expect(screen.queryByRole('dialog')).toBeNull()
  const link = screen.getByRole('link', { name: 'View Bookmark' })
  expect(link.getAttribute('href')).toBe('/bookmarks/31')
  await user.click(link)
  await waitFor(() => expect(page.path()).toBe('/bookmarks/31'))
})

test('one that a rule holds is said to wait', async () => {
  await renderDialog([[201, { ...ownBookmark, is_held: true }]])
  await chooseOption('Collection', 'Films')
  await pressAdd()
  const said = 'Added to Films. It will be public after a quick review.'
  expect(await screen.findByText(said)).toBeTruthy()
})

test('a channel of the collection can be chosen', async () => {
  const { sent } = await renderDialog([[201, ownBookmark]])
  await chooseOption('Collection', 'Films')
  await chooseOption('Channel', 'Blender')
  await pressAdd()
  expect(await screen.findByText('Added to Films.')).toBeTruthy()
  expect(sent()[0]?.body).toEqual({ bookmark: 7, collection: 2, channel: 22 })
})

test.for<[string, FakeAnswer, string]>([
  [
    'fields',
    [400, { code: 'invalid', collection: ['Not yours.'], channel: ['Not in it.'] }],
    'Not yours. Not in it.',
  ],
  ['silence', 'offline', 'Failed to add bookmark.'],
  [
    'a fault',
    [500, { detail: 'Something went wrong on our side.', code: 'internal-error' }],
    'Failed to add bookmark.',
  ],
  ['nothing', [400, {}], 'Failed to add bookmark.'],
])('a failure is told, and what was chosen stays: %s', async ([, answer, text]) => {
  const { dialog } = await renderDialog([answer])
  await chooseOption('Collection', 'Films')
  await pressAdd()
  const alert = await dialog.findByRole('alert')
  expect(alert.textContent).toBe(text)
  expect(document.activeElement).toBe(alert)
  expect(dialog.getByLabelText('Collection')).toHaveProperty('value', '2')
})

test('after silence the same press means the same; after an answer it is meant anew', async () => {
  const { dialog, sent } = await renderDialog([
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
  await screen.findByText('Added to Films.')
  const [first, second, third] = sent().map(({ headers }) => headers['idempotency-key'])
  expect(first).toBe(second)
  expect(third).not.toBe(second)
})

test('what one has already is said, with the way to it', async () => {
  const { dialog } = await renderDialog([
    [409, { detail: 'You already saved this video here.', code: 'already-saved', bookmark_id: 31 }],
  ])
  await chooseOption('Collection', 'Films')
  await pressAdd()
  expect((await dialog.findByRole('alert')).textContent).toContain('You already saved this video here.')
  expect(dialog.getByRole('link', { name: 'View Bookmark' }).getAttribute('href')).toBe('/bookmarks/31')
})

test('a collection is made in between, and chosen', async () => {
  const [vault] = threeCollections
  const created = { ...(vault as Collection), id: 9, name: 'Sea', channels: [] }
  let answers = 0
  const { dialog, sent, requests } = await renderDialog([[201, ownBookmark]], ({ method, path }) => {
    if (answers > 1)
      return path.startsWith('/collections/')
        ? [200, collectionsPage([...threeCollections, created])]
        : undefined
    if (method !== 'POST' || path !== '/collections/') return undefined
    return ++answers === 1 ? [400, { code: 'invalid', name: ['You have one of this name.'] }] : [201, created]
  })
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
  await screen.findByText('Added to Films.')
  expect(sent()[0]?.body).toEqual({ bookmark: 7, collection: 9, channel: null })
})
