import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requestSave } from '../../shared/save-request.ts'
import { collectionsPage } from '../../testing/collection-responses.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { SaveSheetHost } from './save-sheet-host.tsx'

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the sheet closes when another user signs in, who does not see what was entered', async () => {
  fakeApi(({ path }) => (path.startsWith('/collections/') ? [200, collectionsPage()] : [404, {}]))
  await renderPage(<SaveSheetHost />)
  act(() => void requestSave(null))
  await userEvent.type(await screen.findByLabelText('Video URL'), 'https://a.example/private')
  act(() => signInAs('bob'))
  await waitFor(() => expect(screen.queryByLabelText('Video URL')).toBeNull())
  act(() => void requestSave(null))
  expect(await screen.findByLabelText('Video URL')).toHaveProperty('value', '')
})
