import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerSupportingRequests, bigBuckBunny } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { AddBookmarkPage } from './add-bookmark-page.tsx'
import { type AddBookmarkSearch, readAddBookmarkSearch } from './add-bookmark-search.ts'
import { readSharedLink } from './shared-link.ts'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

interface Answers {
  extract?: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>
  save?: () => FakeAnswer
}

function startFakeServer({
  extract = () => [200, bigBuckBunny],
  save = () => [201, { id: 5 }],
}: Answers = {}) {
  return fakeApi((request) => {
    if (request.path === '/bookmarks/extract-metadata/') return extract(request)
    if (request.path === '/bookmarks/') return save()
    return answerSupportingRequests(request)
  })
}

const requestsTo = (requests: FakeRequest[], path: string) =>
  requests.filter((request) => request.path === path)

function Page({ start }: { start: AddBookmarkSearch }) {
  const [search, setSearch] = useState(start)
  return <AddBookmarkPage search={search} onTab={(tab) => setSearch({ tab })} />
}

async function openPage(start: AddBookmarkSearch = { tab: 'url' }) {
  const page = await renderPage(<Page start={start} />)
  await screen.findByRole('tab', { name: 'Add via URL', selected: true })
  return page
}

const panel = () => within(screen.getByRole('tabpanel', { name: 'Add via URL' }))
const address = () => panel().getByLabelText('Video URL')
const field = (label: string) => panel().getByLabelText(label)
const saveButton = () => panel().getByRole('button', { name: 'Save Bookmark' })

async function pressExtract(url = 'https://video.example/watch/bbb') {
  await user.type(address(), url)
  await user.click(panel().getByRole('button', { name: 'Extract Info' }))
}

/** Returns the collection select when its options are loaded. */
async function findCollectionSelect() {
  await panel().findByRole('option', { name: 'My Vault' })
  return field('Collection')
}

test('the page opens the tab chosen last, at first the manual form', async () => {
  startFakeServer()
  await renderPage(<Page start={{}} />)
  await user.click(await screen.findByRole('tab', { name: 'Add via URL', selected: false }))
  cleanup()
  await openPage({})
  await user.click(screen.getByRole('tab', { name: 'Manual Add' }))
  cleanup()
  await renderPage(<Page start={{}} />)
  expect(await screen.findByRole('tab', { name: 'Manual Add', selected: true })).toBeTruthy()
})

test('a link pasted outside a field opens the tab for links with it; other texts and fields are left alone', async () => {
  startFakeServer()
  await renderPage(<Page start={{ tab: 'manual' }} />)
  const isManual = () => screen.queryByRole('tab', { name: 'Manual Add', selected: true }) !== null
  await screen.findByRole('tab', { name: 'Manual Add', selected: true })
  await user.click(screen.getByRole('heading', { name: 'Add Bookmark' }))
  await user.paste('not a link')
  expect(isManual()).toBe(true)
  await user.click(screen.getByLabelText('Thumbnail URL'))
  await user.paste('https://video.example/picture.jpg')
  expect([isManual(), screen.getByLabelText('Thumbnail URL')]).toEqual([
    true,
    expect.objectContaining({ value: 'https://video.example/picture.jpg' }),
  ])
  await user.click(screen.getByRole('heading', { name: 'Add Bookmark' }))
  await user.paste(' https://video.example/watch/bbb ')
  expect(isManual()).toBe(false)
  expect(address()).toHaveProperty('value', 'https://video.example/watch/bbb')
})

test('the collection of other videos of the uploader is offered until it is chosen', async () => {
  const uploader_destination = {
    collection: { id: 1, name: 'My Vault' },
    channel: { id: 11, name: 'General' },
  }
  startFakeServer({
    extract: () => [200, { ...bigBuckBunny, channel_name: 'Blender Studio', uploader_destination }],
  })
  await openPage()
  await pressExtract()
  await user.selectOptions(await findCollectionSelect(), 'Loose')
  expect(panel().getByText('You filed videos of Blender Studio in My Vault / General.')).toBeTruthy()
  await user.click(panel().getByRole('button', { name: 'Use My Vault / General' }))
  expect([field('Collection'), field('Channel')]).toEqual([
    expect.objectContaining({ value: '1' }),
    expect.objectContaining({ value: '11' }),
  ])
  expect(panel().queryByText(/You filed videos/)).toBeNull()
})

test('a link is extracted, reviewed and saved; after three seconds the form is empty again', async () => {
  const requests = startFakeServer()
  await openPage()
  await pressExtract()
  expect(await panel().findByRole('heading', { name: 'Review & Save' })).toBe(document.activeElement)
  expect(requestsTo(requests, '/bookmarks/extract-metadata/')[0]?.body).toEqual({
    url: 'https://video.example/watch/bbb',
  })
  expect(field('Video Title')).toHaveProperty('value', 'Big Buck Bunny')
  expect(field('Tags')).toHaveProperty('value', 'animation, rabbit')
  expect(field('Orientation')).toHaveProperty('value', 'sfw')
  expect(panel().getByText('Landscape')).toBeTruthy()
  expect(panel().queryByRole('button', { name: 'Save Bookmark & Video' })).toBeNull()

  await user.selectOptions(await findCollectionSelect(), 'My Vault')
  expect(field('Channel')).toHaveProperty('value', '11')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await user.click(saveButton())
  expect(await panel().findByText('Bookmark saved successfully!')).toBeTruthy()
  expect(panel().getByRole('link', { name: 'View Bookmark' }).getAttribute('href')).toBe('/bookmarks/5')
  // The draft is deleted already, so following the link and coming back shows an empty form.
  expect(Object.keys(sessionStorage)).toEqual([])
  const tags = ['animation', 'rabbit']
  expect(requestsTo(requests, '/bookmarks/')[0]?.body).toEqual({
    video: {
      source_url: 'https://video.example/watch/bbb',
      title: 'Big Buck Bunny',
      thumbnail_url: 'https://img.example/bbb.jpg',
      embed_url: 'https://player.example/bbb',
      orientation: 'sfw',
      tags,
      description: 'A rabbit takes revenge.',
      shape: 'landscape',
      duration: 596,
      width: 1920,
      height: 1080,
    },
    bookmark: { channel_id: 11, description: 'A rabbit takes revenge.', access: 'public', tags },
  })

  await act(() => vi.advanceTimersByTimeAsync(2500))
  expect(panel().queryByText('Bookmark saved successfully!')).not.toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(700))
  expect(panel().queryByText('Bookmark saved successfully!')).toBeNull()
  expect(panel().queryByRole('heading', { name: 'Review & Save' })).toBeNull()
  expect(address()).toHaveProperty('value', '')
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('the success message stays while its link has the focus', async () => {
  startFakeServer()
  await openPage()
  await pressExtract()
  await user.selectOptions(await findCollectionSelect(), 'My Vault')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await user.click(saveButton())
  const link = await panel().findByRole('link', { name: 'View Bookmark' })
  act(() => link.focus())
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(panel().queryByText('Bookmark saved successfully!')).not.toBeNull()
  act(() => link.blur())
  await act(() => vi.advanceTimersByTimeAsync(3100))
  expect(panel().queryByText('Bookmark saved successfully!')).toBeNull()
})

/** Saves with the real time replaced, so that the test decides when the message disappears. */
async function saveWithFakeTime() {
  await openPage()
  await pressExtract()
  await user.selectOptions(await findCollectionSelect(), 'My Vault')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await user.click(saveButton())
  await panel().findByText('Bookmark saved successfully!')
}

test('the next link, typed while the success message is shown, stays with the focus', async () => {
  startFakeServer()
  await saveWithFakeTime()
  await user.clear(address())
  await user.type(address(), 'https://video.example/next')
  const title = screen.getByRole('heading', { name: 'Add Bookmark' })
  title.tabIndex = -1
  act(() => title.focus())
  await act(() => vi.advanceTimersByTimeAsync(3100))
  expect(panel().queryByRole('heading', { name: 'Review & Save' })).toBeNull()
  expect(address()).toHaveProperty('value', 'https://video.example/next')
  expect(document.activeElement).toBe(title)
})

test('the extraction of the next link continues when the success message disappears', async () => {
  let finish = () => {}
  startFakeServer({
    extract: async ({ body }) => {
      if ((body as { url: string }).url !== 'https://video.example/next') return [200, bigBuckBunny]
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      const video = { ...bigBuckBunny.video, source_url: 'https://video.example/next', title: 'Next' }
      return [200, { ...bigBuckBunny, video }]
    },
  })
  await saveWithFakeTime()
  await user.clear(address())
  await pressExtract('https://video.example/next')
  await act(() => vi.advanceTimersByTimeAsync(3100))
  expect(panel().queryByText('Bookmark saved successfully!')).toBeNull()
  finish()
  expect(await panel().findByLabelText('Video Title')).toHaveProperty('value', 'Next')
})

test('after a click on Save, the focus moves to the empty field for the next link', async () => {
  startFakeServer()
  await saveWithFakeTime()
  await act(() => vi.advanceTimersByTimeAsync(3100))
  expect(document.activeElement).toBe(address())
})

test('after Save was pressed with a key, the link to the bookmark has the focus and stays', async () => {
  startFakeServer()
  await openPage()
  await pressExtract()
  await user.selectOptions(await findCollectionSelect(), 'My Vault')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  act(() => saveButton().focus())
  await user.keyboard('{Enter}')
  const link = await panel().findByRole('link', { name: 'View Bookmark' })
  await waitFor(() => expect(document.activeElement).toBe(link))
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(document.activeElement).toBe(link)
})

test('extracting the same link again retains what was edited, another link starts anew', async () => {
  startFakeServer({
    extract: ({ body }) => {
      const { url } = body as { url: string }
      return [200, { ...bigBuckBunny, video: { ...bigBuckBunny.video, source_url: url } }]
    },
  })
  await openPage()
  await pressExtract()
  await user.type(await panel().findByLabelText('Video Title'), ' (2008)')
  await user.click(panel().getByRole('button', { name: 'Extract Info' }))
  await panel().findByRole('button', { name: 'Extract Info' })
  expect(field('Video Title')).toHaveProperty('value', 'Big Buck Bunny (2008)')
  await user.clear(address())
  await pressExtract('https://video.example/2')
  await waitFor(() => expect(field('Video Title')).toHaveProperty('value', 'Big Buck Bunny'))
})

test('the success message says when a moderator must review the bookmark first', async () => {
  startFakeServer({ save: () => [201, { id: 5, is_held: true }] })
  await openPage()
  await pressExtract()
  await user.selectOptions(await findCollectionSelect(), 'My Vault')
  await user.click(saveButton())
  expect(await panel().findByText('Bookmark saved successfully!')).toBeTruthy()
  expect(panel().getByText('It will be public after a quick review.')).toBeTruthy()
})

test('an empty link is not extracted, and Enter submits a link', async () => {
  const requests = startFakeServer()
  await openPage()
  expect(panel().getByRole('button', { name: 'Extract Info' })).toHaveProperty('disabled', true)
  await user.type(address(), '   {Enter}')
  expect(requestsTo(requests, '/bookmarks/extract-metadata/')).toEqual([])
  await user.type(address(), 'https://video.example/1 {Enter}')
  expect(await panel().findByRole('heading', { name: 'Review & Save' })).toBeTruthy()
  expect(requestsTo(requests, '/bookmarks/extract-metadata/')[0]?.body).toEqual({
    url: 'https://video.example/1',
  })
})

test('the button is disabled during extraction', async () => {
  let finish = () => {}
  startFakeServer({
    extract: async () => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return [200, bigBuckBunny]
    },
  })
  await openPage()
  await pressExtract()
  expect(panel().getByRole('button', { name: 'Extracting...' })).toHaveProperty('disabled', true)
  finish()
  expect(await panel().findByRole('button', { name: 'Extract Info' })).toBeTruthy()
})

test.for<[FakeAnswer, string, string | null]>([
  [
    [422, { error: 'Failed to extract metadata from URL', detail: 'The page has no video.' }],
    'Failed to extract metadata from URL',
    'The page has no video.',
  ],
  [
    [
      429,
      {
        error: 'Too many requests. Try again later.',
        detail: 'Too many requests. Try again later.',
        code: 'rate-limited',
      },
    ],
    'Too many requests. Try again later.',
    null,
  ],
  [
    [500, { detail: 'Something went wrong on our side.', code: 'internal-error' }],
    'Failed to extract metadata from URL',
    'Something went wrong on our side.',
  ],
  [[502, null], 'Failed to extract metadata from URL', null],
  ['offline', 'Failed to extract metadata from URL', 'Check your connection and try again.'],
])('an extraction with the response %j shows its error', async ([answer, text, reason]) => {
  startFakeServer({ extract: () => answer })
  await openPage()
  await pressExtract()
  const alert = await panel().findByRole('alert')
  expect(within(alert).getByText(text)).toBeTruthy()
  if (reason !== null) expect(within(alert).getByText(reason)).toBeTruthy()
  expect(address()).toHaveProperty('value', 'https://video.example/watch/bbb')
})

test('a failed extraction leads to the manual form with the link filled in', async () => {
  startFakeServer({ extract: () => [422, { error: 'Failed to extract metadata from URL' }] })
  await openPage()
  await pressExtract('https://video.example/odd')
  await user.click(await panel().findByRole('button', { name: 'Add the details manually' }))
  const manual = within(screen.getByRole('tabpanel', { name: 'Manual Add' }))
  expect(manual.getByLabelText(/^Source URL/)).toHaveProperty('value', 'https://video.example/odd')
})

test('missing details are listed', async () => {
  const warnings = ['No player was found.', 'Thumbnail not found.']
  const video = { ...bigBuckBunny.video, embed_url: null, thumbnail_url: null }
  startFakeServer({ extract: () => [200, { ...bigBuckBunny, video, partial: true, warnings }] })
  await openPage()
  await pressExtract()
  expect(await panel().findByText('Some details are missing')).toBeTruthy()
  for (const warning of warnings) expect(panel().getByText(warning)).toBeTruthy()
  expect(panel().getByText('No thumbnail provided.')).toBeTruthy()
})

test('saving requires a channel, a title and a tag', async () => {
  startFakeServer()
  await openPage()
  await pressExtract()
  await panel().findByRole('heading', { name: 'Review & Save' })
  expect(saveButton()).toHaveProperty('disabled', true)
  expect(panel().getByText('Add a channel to save.')).toBeTruthy()
  await user.selectOptions(await findCollectionSelect(), 'Films')
  expect(saveButton()).toHaveProperty('disabled', true)
  await user.selectOptions(field('Channel'), 'Shorts')
  expect(saveButton()).toHaveProperty('disabled', false)
  await user.clear(field('Tags'))
  expect(saveButton()).toHaveProperty('disabled', true)
  await user.click(panel().getByRole('button', { name: 'animation' }))
  expect(field('Tags')).toHaveProperty('value', 'animation')
  expect(saveButton()).toHaveProperty('disabled', false)
  await user.clear(field('Video Title'))
  expect(saveButton()).toHaveProperty('disabled', true)
})

test('a refused save shows errors at the fields and keeps the input', async () => {
  startFakeServer({ save: () => [400, { code: 'invalid', video: { title: ['Too long.'] } }] })
  await openPage()
  await pressExtract()
  await user.selectOptions(await findCollectionSelect(), 'My Vault')
  await user.click(saveButton())
  expect(await panel().findByText('Please check the form for errors')).toBeTruthy()
  expect(panel().getByText('Too long.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(field('Video Title')))
})

test('the next bookmark starts with the last destination', async () => {
  startFakeServer()
  await openPage()
  await pressExtract()
  await user.selectOptions(await findCollectionSelect(), 'Films')
  await user.selectOptions(field('Channel'), 'Blender')
  await user.click(saveButton())
  await panel().findByText('Bookmark saved successfully!')
  cleanup()
  sessionStorage.clear()
  await openPage()
  await pressExtract('https://video.example/2')
  await waitFor(() => expect(saveButton()).toHaveProperty('disabled', false))
  expect(field('Channel')).toHaveProperty('value', '22')
})

test('a URL in the address opens this tab and is not extracted automatically', async () => {
  const requests = startFakeServer()
  await openPage({ url: 'https://video.example/shared' })
  expect(address()).toHaveProperty('value', 'https://video.example/shared')
  expect(requestsTo(requests, '/bookmarks/extract-metadata/')).toEqual([])
})

test('the review survives a reload', async () => {
  startFakeServer()
  await openPage()
  await pressExtract()
  await user.type(await panel().findByLabelText(/^Video Title/), ' (2008)')
  cleanup()
  await openPage()
  expect(address()).toHaveProperty('value', 'https://video.example/watch/bbb')
  expect(field('Video Title')).toHaveProperty('value', 'Big Buck Bunny (2008)')
})

test.for<[Record<string, unknown>, AddBookmarkSearch]>([
  [{}, {}],
  [{ url: ' https://a.example/v ' }, { url: 'https://a.example/v' }],
  [{ url: '', text: 'Look: https://a.example/v' }, { text: 'Look: https://a.example/v' }],
  [
    { url: 'https://a.example/v', text: 'Look', title: '2046' },
    { url: 'https://a.example/v', text: 'Look', title: '2046' },
  ],
  [{ tab: 'manual' }, { tab: 'manual' }],
  [{ tab: 'other' }, {}],
  [
    { collection: '17', channel: '4' },
    { collection: 17, channel: 4 },
  ],
  [{ collection: 'mine', channel: '' }, {}],
])('the search parameters %j are read as %j', ([search, expected]) => {
  expect(readAddBookmarkSearch(search)).toEqual(expected)
})

test.for<[AddBookmarkSearch, string | null, string]>([
  [{ url: 'https://a.example/v(1)' }, 'https://a.example/v(1)', ''],
  [{ url: 'https://a.example/v', title: '2046' }, 'https://a.example/v', '2046'],
  [{ text: 'Look: https://a.example/v now' }, 'https://a.example/v', ''],
  [{ text: 'Watch this!https://a.example/v.', title: 'A film' }, 'https://a.example/v', 'A film'],
  [{ text: '(https://a.example/v?t=1) and https://b.example/' }, 'https://a.example/v?t=1', ''],
  [{ title: 'A film https://a.example/v', text: 'Seen on TV' }, 'https://a.example/v', 'A film'],
  [{ url: 'A film: https://a.example/v' }, 'https://a.example/v', ''],
  [{ url: 'a.example/v' }, 'a.example/v', ''],
])('what is shared as %j is the link %s with the title "%s"', ([search, url, title]) => {
  expect(readSharedLink(search)).toEqual({ url, title, text: '' })
})

test('what is shared without a link is a text, each part once', () => {
  expect(readSharedLink({})).toBeNull()
  expect(readSharedLink({ title: 'A film', text: 'ftp://a.example/v' })).toEqual({
    url: null,
    title: '',
    text: 'A film\nftp://a.example/v',
  })
  expect(readSharedLink({ title: 'A film', text: 'A film' })?.text).toBe('A film')
})

test('a shared text with a link fills the URL tab, and its title is used if the page has none', async () => {
  const untitled = { ...bigBuckBunny, video: { ...bigBuckBunny.video, title: '' } }
  startFakeServer({ extract: () => [200, untitled] })
  await openPage({ text: 'Look: https://a.example/v now', title: 'A rabbit' })
  expect(address()).toHaveProperty('value', 'https://a.example/v')
  await user.click(panel().getByRole('button', { name: 'Extract Info' }))
  expect(await panel().findByLabelText('Video Title')).toHaveProperty('value', 'A rabbit')
})

test('a shared title does not replace that of the page, and is taken to the manual form', async () => {
  let extracts = 0
  startFakeServer({
    extract: () => (++extracts === 1 ? [422, { code: 'extraction-failed' }] : [200, bigBuckBunny]),
  })
  await openPage({ url: 'https://a.example/v', title: 'A rabbit' })
  await user.click(panel().getByRole('button', { name: 'Extract Info' }))
  await user.click(await panel().findByRole('button', { name: 'Add the details manually' }))
  expect(await screen.findByLabelText('Video Title')).toHaveProperty('value', 'A rabbit')
  await user.click(screen.getByRole('tab', { name: 'Add via URL' }))
  await user.click(panel().getByRole('button', { name: 'Extract Info' }))
  expect(await panel().findByLabelText('Video Title')).toHaveProperty('value', bigBuckBunny.video.title)
})

test('a share without a link shows its text until it is discarded', async () => {
  startFakeServer()
  await openPage({ title: 'A film', text: 'Worth seeing' })
  expect(await screen.findByText('What you shared contains no link')).toBeTruthy()
  expect(screen.getByRole('blockquote').textContent).toBe('A film\nWorth seeing')
  cleanup()
  await openPage()
  expect(screen.getByRole('blockquote').textContent).toBe('A film\nWorth seeing')
  await user.click(screen.getByRole('button', { name: 'Discard text' }))
  expect(screen.queryByRole('blockquote')).toBeNull()
  expect(document.activeElement).toBe(address())
})

test.for([
  ['known', 'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox'],
  ['other', 'allow-scripts allow-presentation'],
] as const)(
  'the sandbox of a player is the one for %s hosts if the server says so',
  async ([player, sandbox]) => {
    startFakeServer({ extract: () => [200, { ...bigBuckBunny, player }] })
    await openPage()
    await pressExtract()
    await user.click(await panel().findByRole('button', { name: 'Load player from player.example' }))
    expect(panel().getByTitle('Player: Big Buck Bunny').getAttribute('sandbox')).toBe(sandbox)
  },
)

test('the preview shows the picture that our server fetched, and the shape of the picture if the page names none', async () => {
  const picture = 'data:image/webp;base64,AAAA'
  const requests = fakeApi((request) => {
    if (request.path === '/bookmarks/extract-metadata/')
      return [200, { ...bigBuckBunny, video: { ...bigBuckBunny.video, shape: 'unknown' } }]
    if (request.path === '/bookmarks/preview-thumbnail/')
      return [200, { picture, width: 90, height: 160, shape: 'portrait' }]
    return answerSupportingRequests(request)
  })
  const page = await openPage()
  await pressExtract()
  const preview = within(await panel().findByRole('article', { name: 'Preview' }))
  expect(await preview.findByText('Portrait')).toBeTruthy()
  expect(preview.getByText('Thumbnail from img.example')).toBeTruthy()
  expect(page.container.querySelector(`img[src="${picture}"]`)).toBeTruthy()
  expect(page.container.querySelector('img[src*="img.example"]')).toBeNull()
  expect(requestsTo(requests, '/bookmarks/preview-thumbnail/')[0]?.body).toEqual({
    url: bigBuckBunny.video.thumbnail_url,
  })
})

test('the preview shows the shape that the page names', async () => {
  startFakeServer()
  await openPage()
  await pressExtract()
  const preview = within(await panel().findByRole('article', { name: 'Preview' }))
  expect(await preview.findByText('Landscape')).toBeTruthy()
})
