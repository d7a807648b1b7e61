import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collectionsPage } from '../../../testing/collection-responses.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { loadNewContainerDialog } from '../../collections/public-api.ts'
import { MoveForm } from '../bulk-edit/move-form.tsx'
import { noDestination } from './destination.ts'
import { DestinationCombobox } from './destination-combobox.tsx'
import { NewDestination } from './new-destination.tsx'

const user = userEvent.setup({ delay: null })
const accesses = ['public', 'private'] as const

beforeEach(() => {
  // jsdom does not implement scrolling.
  Element.prototype.scrollIntoView = () => undefined
  fakeDialogs()
  resetBrowser()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Signs in with a default access. Returns what was sent to create a collection. */
function startWith(access: 'public' | 'private') {
  signInAs('alice', { profile: { default_bookmark_access: access } })
  const requests = fakeApi(({ method }) =>
    method === 'POST'
      ? [201, { id: 9, name: 'Fog', description: '', access, channels: [] }]
      : [200, collectionsPage()],
  )
  return async () => {
    const post = () => requests.find(({ method }) => method === 'POST')
    await waitFor(() => expect(post()).toBeDefined())
    return post()?.body
  }
}

const optionTexts = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
const collections = { list: [], loading: false, failed: false, retry: () => undefined }
const ignore = () => undefined

test.each(accesses)(
  'saving offers a new collection as public and private, the default %s first',
  async (access) => {
    const sent = startWith(access)
    const other = access === 'public' ? 'private' : 'public'
    await renderPage(
      <DestinationCombobox destination={noDestination} onChange={ignore} collections={collections} />,
    )
    await user.type(screen.getByRole('combobox'), 'Fog')
    expect(optionTexts()).toEqual([`Create ${access} collection “Fog”`, `Create ${other} collection “Fog”`])
    await user.keyboard('{ArrowDown}{Enter}')
    expect(await sent()).toEqual({ name: 'Fog', access: other })
  },
)

test.each(accesses)(
  'moving offers a new collection as public and private, the default %s first',
  async (access) => {
    const sent = startWith(access)
    await renderPage(<MoveForm count={2} problem={null} busy={false} onSubmit={ignore} onClose={ignore} />)
    await user.type(screen.getByRole('combobox'), 'Fog')
    const other = access === 'public' ? 'private' : 'public'
    await waitFor(() =>
      expect(optionTexts()).toEqual(
        [access, other].map((name) => `Create ${name} collection “Fog” and move 2 bookmarks`),
      ),
    )
    await user.keyboard('{ArrowDown}')
    await user.click(screen.getByRole('button', { name: 'Create and move' }))
    expect(await sent()).toEqual({ name: 'Fog', access: other })
  },
)

test.each(accesses)('a new collection inside a form starts with the default %s', async (access) => {
  const sent = startWith(access)
  await renderPage(<NewDestination onCreated={ignore} onCancel={ignore} />)
  const checkbox = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Private/ })
  expect(checkbox.checked).toBe(access === 'private')
  await user.type(screen.getByLabelText(/Collection name/), 'Fog{Enter}')
  expect(await sent()).toEqual({ name: 'Fog', access })
})

test.each(accesses)('New Collection starts with the default %s', async (access) => {
  const sent = startWith(access)
  const NewContainerDialog = await loadNewContainerDialog()
  await renderPage(<NewContainerDialog collection={null} open onClose={ignore} />)
  expect(screen.getByLabelText<HTMLSelectElement>(/^Access/).value).toBe(access)
  await user.type(screen.getByLabelText(/^Name/), 'Fog{Enter}')
  expect(await sent()).toMatchObject({ name: 'Fog', access })
})
