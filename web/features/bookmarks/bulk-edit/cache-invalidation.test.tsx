/**
 * Which cached queries (lists, counts, 5 minutes each) are invalidated or updated by each change of the viewer's
 * bookmarks.
 */
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { collectionsPage, threeCollections } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { Toaster } from '../../../ui/toaster.tsx'
import { useSaveCall } from '../add-bookmark/use-save-bookmark.ts'
import { useCollect } from '../collect/use-collect.ts'
import { trashItem } from '../trash/trash-item.fixture.ts'
import { TrashPage } from '../trash/trash-page.tsx'
import { useTrashBookmark } from '../trash/use-trash-bookmark.ts'
import { EditBookmarkDialog } from '../update/edit-bookmark-dialog.tsx'
import { type BulkChange, useBulkChange } from './use-bulk-change.ts'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
  stubIntersectionObserver()
})
afterEach(() => {
  for (const button of screen.queryAllByRole('button', { name: 'Dismiss' })) fireEvent.click(button)
  cleanup()
  vi.unstubAllGlobals()
})

const ownBookmark = ['bookmark', 7] as const
const otherBookmark = ['bookmark', 8] as const
const explore = ['videos', {}] as const
const ownListing = ['videos', { user: 'alice', page: 2 }] as const
const cachedQueries: QueryKey[] = [
  otherBookmark,
  explore,
  ownListing,
  ['profile', 'alice'],
  ['collections', 'of', 'alice'],
  ['collections', 'own', 'all'],
  ['trash', 3],
]

/** Fills the cache as if the user had visited these pages; none is on screen. */
function fillCache(client: QueryClient): void {
  const list = { count: 40, next: null, previous: null, results: [{ id: 7 }, { id: 8 }] }
  client.setQueryData(ownBookmark, sampleBookmark)
  client.setQueryData(otherBookmark, { ...sampleBookmark, id: 8 })
  client.setQueryData(explore, list)
  client.setQueryData(ownListing, list)
  client.setQueryData(['profile', 'alice'], testProfile('alice', { bookmarks_count: 40 }))
  client.setQueryData(['collections', 'of', 'alice'], threeCollections)
  client.setQueryData(['collections', 'own', 'all'], threeCollections)
  client.setQueryData(['trash', 3], { ...list, results: [] })
}

function RunButton({ run }: { run: () => unknown }) {
  const [done, setDone] = useState(false)
  const start = async () => {
    await run()
    setDone(true)
  }
  return (
    <button type="button" onClick={() => void start()}>
      {done ? 'Done' : 'Go'}
    </button>
  )
}

function BulkButton({ change }: { change: BulkChange }) {
  const { run } = useBulkChange({ onPartialFailure: () => undefined })
  return <RunButton run={() => run(change, new Map([[7, 'Sintel']]), (bookmarks) => `${bookmarks} done.`)} />
}
function TrashButton() {
  const { remove } = useTrashBookmark(sampleBookmark)
  return <RunButton run={remove} />
}
function CollectButton() {
  const { run } = useCollect(7)
  return <RunButton run={() => run({ collection: 1, channel: null })} />
}
function SaveButton() {
  const { run } = useApiMutation(useSaveCall(saveBookmark))
  const video = { source_url: 'https://films.example.org/1', title: 'Film' }
  return <RunButton run={() => run({ body: { video, bookmark: { channel_id: 11 } }, collection: 1 })} />
}
function EditButton() {
  return <EditBookmarkDialog open bookmark={sampleBookmark} onClose={() => undefined} />
}

const outcome = { changed: 1, unchanged: 0, failed: [], before: [] }
const before = [{ id: 7, collection_id: 1, channel_id: 11, access: 'public' }]
const trashed = trashItem(7, { video_id: 9, title: 'Sintel' })
const fakeAnswers: Record<string, FakeAnswer> = {
  'POST /bookmarks/bulk/': [200, { ...outcome, before }],
  'POST /bookmarks/bulk/undo/': [200, outcome],
  'PATCH /bookmarks/7/': [200, { ...sampleBookmark, title: 'Renamed' }],
  'DELETE /bookmarks/7/': [204],
  'POST /bookmarks/7/restore/': [200, sampleBookmark],
  'POST /bookmarks/': [201, sampleBookmark],
  'POST /bookmarks/collect/': [201, sampleBookmark],
  'GET /collections/': [200, collectionsPage()],
  'GET /bookmarks/trash/': [200, { count: 1, next: null, previous: null, results: [trashed] }],
  'DELETE /bookmarks/trash/': [200, { removed: 1, remaining: 0 }],
}

async function renderAll(element: ReactNode) {
  const requests = fakeApi(
    ({ method, path }) =>
      fakeAnswers[`${method} ${path.split('?')[0]}`] ?? [404, { detail: 'Not found.', code: 'not-found' }],
  )
  const { client } = await renderPage(element)
  // Rendered separately, because it must survive a page change.
  render(<Toaster />)
  fillCache(client)
  return { client, requests }
}

/** Waits until all queries that may have changed are invalidated. */
async function expectInvalidated(client: QueryClient, keys = cachedQueries): Promise<void> {
  for (const key of keys) {
    await waitFor(() =>
      expect(client.getQueryState(key)?.isInvalidated ?? true, JSON.stringify(key)).toBe(true),
    )
  }
}

const pressButton = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }))

test.each([
  ['moving many', <BulkButton key="1" change={{ action: 'move', collection_id: 2 }} />],
  ['tagging many', <BulkButton key="2" change={{ action: 'tag', tags: ['short'] }} />],
  ['untagging many', <BulkButton key="3" change={{ action: 'untag', tags: ['short'] }} />],
  ['hiding many', <BulkButton key="4" change={{ action: 'access', access: 'private' }} />],
  ['restoring many', <BulkButton key="5" change={{ action: 'restore' }} />],
  ['collecting one', <CollectButton key="6" />],
  ['saving one', <SaveButton key="7" />],
])('%s invalidates lists, counts, collections and the bookmark', async (_, element) => {
  const { client } = await renderAll(element)
  await pressButton('Go')
  await screen.findByRole('button', { name: 'Done' })
  await expectInvalidated(client, [...cachedQueries, ownBookmark])
})

test.each([
  ['deleting many', <BulkButton key="1" change={{ action: 'trash' }} />],
  ['deleting one', <TrashButton key="2" />],
])('%s removes the bookmark from the cache immediately', async (_, element) => {
  const { client } = await renderAll(element)
  await pressButton('Go')
  await waitFor(() => expect(client.getQueryData(ownBookmark)).toBeUndefined())
  for (const list of [explore, ownListing]) {
    expect(client.getQueryData(list)).toMatchObject({ count: 39, results: [{ id: 8 }] })
  }
  await expectInvalidated(client)
})

test.each([
  ['deleting many', <BulkButton key="1" change={{ action: 'trash' }} />, /restore|bulk/],
  ['moving many', <BulkButton key="2" change={{ action: 'move', collection_id: 2 }} />, /undo/],
  ['deleting one', <TrashButton key="3" />, /restore/],
])('undoing %s invalidates everything', async (_, element, path) => {
  const { client, requests } = await renderAll(element)
  await pressButton('Go')
  await screen.findByRole('button', { name: 'Undo' })
  fillCache(client)
  await pressButton('Undo')
  await waitFor(() => expect(requests.filter((request) => path.test(request.path)).length).toBeGreaterThan(0))
  await expectInvalidated(client)
})

test('a change undone by shortcut is no longer offered for undo', async () => {
  const { requests } = await renderAll(<BulkButton change={{ action: 'move', collection_id: 2 }} />)
  await pressButton('Go')
  await screen.findByText('1 bookmark done.')
  await user.keyboard('{Control>}z{/Control}')
  await screen.findByText('Undone.')
  expect(screen.queryByText('1 bookmark done.')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(requests.filter(({ path }) => path === '/bookmarks/bulk/undo/')).toHaveLength(1)
})

test('editing a bookmark shows its new texts immediately and invalidates everything else', async () => {
  const { client } = await renderAll(<EditButton />)
  await pressButton('Save')
  await waitFor(() => expect(client.getQueryData(ownBookmark)).toMatchObject({ title: 'Renamed' }))
  // The list of collections is on screen, so it was already fetched again.
  await expectInvalidated(
    client,
    cachedQueries.filter(([kind, owner]) => kind !== 'collections' || owner !== 'own'),
  )
})

test.each([
  ['restoring from the trash', async () => pressButton('Restore Sintel')],
  [
    'deleting permanently',
    async () => {
      await pressButton('Delete permanently: Sintel')
      await pressButton('Delete permanently')
    },
  ],
  [
    'emptying the trash',
    async () => {
      await pressButton('Empty trash')
      const [, button] = await screen.findAllByRole('button', { name: 'Empty trash' })
      if (button !== undefined) await user.click(button)
    },
  ],
])('%s invalidates trash, lists and counts', async (_, act) => {
  const { client, requests } = await renderAll(
    <TrashPage query={{}} linkTo={() => ({ to: '/trash' })} tools={null} emptyFiltered={null} />,
  )
  await screen.findByText('4 days left')
  const countTrashRequests = () =>
    requests.filter(({ method, path }) => method === 'GET' && path.startsWith('/bookmarks/trash/')).length
  const countBefore = countTrashRequests()
  await act()
  await expectInvalidated(client)
  await waitFor(() => expect(countTrashRequests()).toBeGreaterThan(countBefore))
})
