import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerSupportingRequests, bigBuckBunny } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { storeLastDestination } from '../destination/destination.ts'
import { SaveSheet } from './save-sheet.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
  storeLastDestination({ collection: 1, channel: 11 })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const linkA = 'https://video.example/a'
const linkB = 'https://video.example/b'

/** Each link has its own title, and those that contain `odd` have no details. */
function startFakeServer() {
  return fakeApi(({ path, body }): FakeAnswer => {
    if (path === '/bookmarks/') return [201, sampleBookmark]
    if (path !== '/bookmarks/extract-metadata/') return answerSupportingRequests({ path } as never)
    const { url } = body as { url: string }
    if (url.includes('odd')) return [422, { error: 'Failed to extract metadata from URL' }]
    const video = { ...bigBuckBunny.video, source_url: url, title: `Title of ${url}` }
    return [200, { ...bigBuckBunny, video }]
  })
}

const closeSheet = vi.fn()

/** Opens the sheet as Ctrl V does, or with null as N does. */
async function openSheet(link: string | null) {
  cleanup()
  await renderPage(<SaveSheet open link={link} onClose={closeSheet} onManual={() => undefined} />)
  return screen.findByLabelText('Video URL')
}

const titleField = () => screen.getByLabelText(/^Video Title/)
const findTitle = (title: string) => waitFor(() => expect(titleField()).toHaveProperty('value', title))

async function editTitle(before: string) {
  await findTitle(before)
  await user.type(titleField(), '!')
}

test('changes stay when the link is changed and changed back', async () => {
  startFakeServer()
  const url = await openSheet(linkA)
  await editTitle(`Title of ${linkA}`)
  await user.type(url, 'x')
  expect(titleField()).toHaveProperty('value', '')
  await user.type(url, '{Backspace}')
  expect(titleField()).toHaveProperty('value', `Title of ${linkA}!`)
})

test('changes return with their link after another one was entered or saved', async () => {
  const requests = startFakeServer()
  await openSheet(linkA)
  await editTitle(`Title of ${linkA}`)
  await openSheet(linkB)
  await findTitle(`Title of ${linkB}`)
  await openSheet(linkA)
  await findTitle(`Title of ${linkA}!`)

  await openSheet(linkB)
  await findTitle(`Title of ${linkB}`)
  closeSheet.mockClear()
  await user.click(screen.getByRole('button', { name: 'Save Bookmark' }))
  await waitFor(() => expect(closeSheet).toHaveBeenCalled())
  expect(requests.find(({ path }) => path === '/bookmarks/')?.body).toMatchObject({
    video: { title: `Title of ${linkB}` },
  })
  expect(await openSheet(null)).toHaveProperty('value', '')
  await openSheet(linkA)
  await findTitle(`Title of ${linkA}!`)
})

test('a title that was entered for a link without details stays when the link is corrected', async () => {
  startFakeServer()
  const url = await openSheet('https://video.example/odd')
  await screen.findByRole('alert')
  await user.type(titleField(), 'My title')
  await user.clear(url)
  act(() => url.focus())
  await user.paste(linkB)
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(titleField()).toHaveProperty('value', 'My title')
})
