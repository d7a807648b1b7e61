import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerSupportingRequests, bigBuckBunny } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { EditBookmarkDialog } from './edit-bookmark-dialog.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
  stubIntersectionObserver()
  URL.createObjectURL = () => 'blob:http://localhost/1'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ownerFacts: Bookmark['owner_facts'] = {
  embed_url: null,
  thumbnail_url: null,
  shape: null,
  duration: null,
  has_uploaded_thumbnail: false,
  thumbnail_state: 'none',
}

/** A bookmark of an unknown host, whose player can be replaced. */
const bookmark: Bookmark = {
  ...sampleBookmark,
  private_note: 'Watch with Ana',
  owner_facts: ownerFacts,
  video: {
    ...sampleBookmark.video,
    provider: null,
    host: 'films.example.org',
    source_url: 'https://films.example.org/1',
    embed_url: 'https://player.example.org/1',
    player: 'other',
  },
}
const offered = ['https://img.example/a.jpg', 'https://img.example/b.jpg']
const previewReply = { picture: 'data:image/webp;base64,AAAA', width: 90, height: 160, shape: 'portrait' }

const fakeAnswers = new Map<string, FakeAnswer>()
const sentForms: FormData[] = []

async function openDialog(shown = bookmark) {
  fakeAnswers.clear()
  sentForms.length = 0
  const requests = fakeApi((request) => {
    const { method, path } = request
    const answer = fakeAnswers.get(`${method} ${path}`)
    if (answer !== undefined) return answer
    if (path === '/bookmarks/preview-thumbnail/') return [200, previewReply]
    if (path === '/bookmarks/extract-metadata/') {
      return [200, { ...bigBuckBunny, pictures: offered }]
    }
    if (path.startsWith('/bookmarks/7/')) return [200, shown]
    return answerSupportingRequests(request)
  })
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (init.body instanceof FormData) sentForms.push(init.body)
    return fetch(url, init)
  })
  const onClose = vi.fn()
  await renderPage(<EditBookmarkDialog open bookmark={shown} onClose={onClose} />)
  await screen.findByRole('option', { name: 'Films' })
  return { requests, onClose }
}
const save = () => user.click(screen.getByRole('button', { name: 'Save' }))
const changes = (requests: FakeRequest[]) =>
  requests
    .filter(({ method, path }) => method === 'PATCH' && path === '/bookmarks/7/')
    .map(({ body }) => body)
const choose = (name: string) => user.click(screen.getByRole('radio', { name }))
const field = (name: string) => screen.getByRole('textbox', { name })
async function paste(name: string, text: string) {
  await user.clear(field(name))
  await user.click(field(name))
  await user.paste(text)
}

test('player, duration, shape and private note are sent only if they were changed', async () => {
  const { requests, onClose } = await openDialog()
  await save()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(Object.keys(changes(requests)[0] as object).sort()).toEqual([
    'access',
    'description',
    'tags',
    'title',
  ])

  await paste('Embed URL', 'https://player.example.org/2')
  await paste('Duration', '1:02:03')
  await user.selectOptions(screen.getByLabelText('Shape'), 'Portrait')
  await paste('Private note', 'Watched ')
  await save()
  await waitFor(() => expect(changes(requests)).toHaveLength(2))
  expect(changes(requests)[1]).toMatchObject({
    embed_url: 'https://player.example.org/2',
    duration: 3723,
    shape: 'portrait',
    private_note: 'Watched',
  })
})

test('texts that are too long are not cut, and an error says so', async () => {
  await openDialog()
  const tooLong = { Title: 301, Description: 5001, 'Private note': 5001 }
  for (const [name, length] of Object.entries(tooLong)) {
    await paste(name, '😀'.repeat(length - 1))
    expect(screen.queryByRole('alert')).toBeNull()
    await paste(name, '😀'.repeat(length))
    expect(field(name)).toHaveProperty('value', '😀'.repeat(length))
    expect(screen.getByRole('alert').textContent).toBe(`Must be ${length - 1} characters or fewer.`)
    await paste(name, 'short')
  }
})

test('the player of a known host cannot be replaced', async () => {
  await openDialog({ ...bookmark, video: sampleBookmark.video })
  expect(field('Embed URL')).toHaveProperty('readOnly', true)
  expect(screen.getByText('The player of youtube.com is built from the link.')).toBeTruthy()
})

test('errors appear at their fields, the first gets the focus, and nothing is sent', async () => {
  const { requests } = await openDialog()
  await choose('Picture at a link')
  await paste('Picture link', 'not a link')
  await paste('Duration', 'long')
  await save()
  expect(screen.getByText('Enter a full URL starting with https://')).toBeTruthy()
  expect(screen.getByText('Enter a duration such as 12:34 or 1:02:03.')).toBeTruthy()
  expect(document.activeElement).toBe(field('Picture link'))
  expect(changes(requests)).toEqual([])
})

test('an uploaded picture is sent before the other changes, and only once if those fail', async () => {
  const { requests, onClose } = await openDialog()
  await choose('Upload a picture')
  await user.upload(screen.getByLabelText('Picture file'), new File(['x'], 'me.png', { type: 'image/png' }))
  fakeAnswers.set('PATCH /bookmarks/7/', [400, { code: 'invalid', title: ['Too odd.'] }])
  await save()
  expect(await screen.findByText('Too odd.')).toBeTruthy()
  expect(sentForms[0]?.get('thumbnail')).toBeInstanceOf(File)
  fakeAnswers.clear()
  await save()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(requests.filter(({ path }) => path === '/bookmarks/7/thumbnail/')).toHaveLength(1)
})

test('a refused file is explained at its field, and the other input stays', async () => {
  const { requests } = await openDialog()
  await paste('Title', 'Another title')
  await choose('Upload a picture')
  await save()
  expect(screen.getByText('Choose a picture.')).toBeTruthy()
  await user.upload(screen.getByLabelText('Picture file'), new File(['x'], 'me.png', { type: 'image/png' }))
  fakeAnswers.set('POST /bookmarks/7/thumbnail/', [
    400,
    { code: 'invalid', thumbnail: ['This image is damaged.'] },
  ])
  await save()
  expect(await screen.findByText('This image is damaged.')).toBeTruthy()
  expect(field('Title')).toHaveProperty('value', 'Another title')
  expect(changes(requests)).toEqual([])
})

test('one of the pictures that the site offers can be chosen', async () => {
  const { requests } = await openDialog()
  await choose("Choose from the site's pictures")
  const pictures = within(await screen.findByRole('group', { name: "The site's pictures" }))
  await user.click(pictures.getByRole('radio', { name: 'Picture 2 of 2' }))
  await save()
  await waitFor(() => expect(changes(requests)).toHaveLength(1))
  expect(changes(requests)[0]).toMatchObject({ thumbnail_url: offered[1] })
})

test("the owner can go back to the site's picture only if they chose another one", async () => {
  await openDialog()
  expect(screen.queryByRole('radio', { name: "Go back to the site's picture" })).toBeNull()
  cleanup()
  const owner_facts = { ...bookmark.owner_facts, has_uploaded_thumbnail: true } as Bookmark['owner_facts']
  const { requests } = await openDialog({ ...bookmark, ...(owner_facts && { owner_facts }) })
  await choose("Go back to the site's picture")
  await save()
  await waitFor(() => expect(changes(requests)).toHaveLength(1))
  expect(changes(requests)[0]).toMatchObject({ thumbnail_url: null })
})

test('“Fetch again” shows old and new values, and replaces those that the user selects', async () => {
  const { requests } = await openDialog()
  await user.click(screen.getByRole('button', { name: 'Fetch again' }))
  const found = await screen.findByRole('group', { name: 'Use from films.example.org' })
  const title = within(found).getByRole('checkbox', { name: /^Title/ })
  expect(title.closest('label')?.textContent).toBe('TitleNow: SintelOn the site: Big Buck Bunny')
  expect(within(found).getByRole('button', { name: 'Use selected' })).toHaveProperty('disabled', true)
  // The shape is the same.
  expect(within(found).queryByRole('checkbox', { name: /^Shape/ })).toBeNull()
  await user.click(title)
  await user.click(within(found).getByRole('checkbox', { name: /^Duration/ }))
  await user.click(within(found).getByRole('button', { name: 'Use selected' }))
  expect(screen.getByText('2 details replaced. Save to confirm.')).toBeTruthy()
  expect(field('Title')).toHaveProperty('value', 'Big Buck Bunny')
  expect(field('Duration')).toHaveProperty('value', '9:56')
  expect(field('Description')).toHaveProperty('value', 'A girl looks for her dragon.')
  await save()
  await waitFor(() => expect(changes(requests)).toHaveLength(1))
  expect(changes(requests)[0]).toMatchObject({ title: 'Big Buck Bunny', duration: 596 })
  expect(changes(requests)[0]).not.toHaveProperty('thumbnail_url')
})

test('“Fetch again” does not offer the picture that the bookmark has', async () => {
  const thumbnail_url = bigBuckBunny.video.thumbnail_url
  await openDialog({ ...bookmark, owner_facts: { ...ownerFacts, thumbnail_url, thumbnail_state: 'ready' } })
  await user.click(screen.getByRole('button', { name: 'Fetch again' }))
  const found = await screen.findByRole('group', { name: 'Use from films.example.org' })
  expect(within(found).queryByRole('checkbox', { name: /^Picture/ })).toBeNull()
})

test('if the site cannot be read again, the reason is shown and the form stays as it is', async () => {
  await openDialog()
  fakeAnswers.set('POST /bookmarks/extract-metadata/', [
    422,
    { code: 'extraction-failed', error: 'Failed to extract metadata from URL', detail: 'The site is down.' },
  ])
  await paste('Title', 'Kept title')
  await user.click(screen.getByRole('button', { name: 'Fetch again' }))
  expect(await screen.findByText('The site is down.')).toBeTruthy()
  expect(field('Title')).toHaveProperty('value', 'Kept title')
})
