import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setRedirector } from '../../../shared/session/redirects.ts'
import { signOut } from '../../../shared/session/session.ts'
import { answerSupportingRequests, collectionsPage } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { AddBookmarkPage } from './add-bookmark-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const tallPicture = { picture: 'data:image/webp;base64,AAAA', width: 90, height: 160, shape: 'portrait' }

function startFakeServer(save: () => FakeAnswer = () => [201, { id: 5 }]) {
  return fakeApi((request) => {
    if (request.path === '/bookmarks/preview-thumbnail/') return [200, tallPicture]
    return request.path === '/bookmarks/manual-create/' ? save() : answerSupportingRequests(request)
  })
}

const saveRequests = (requests: FakeRequest[]) =>
  requests.filter(({ path }) => path === '/bookmarks/manual-create/')

async function openPage() {
  const page = await renderPage(<AddBookmarkPage search={{}} onTab={() => undefined} />)
  await screen.findByRole('option', { name: 'My Vault' })
  return page
}

const panel = () => within(screen.getByRole('tabpanel', { name: 'Manual Add' }))
const field = (label: string) => panel().getByLabelText(label)
const submit = () => user.click(panel().getByRole('button', { name: 'Save Bookmark & Video' }))
const preview = () => within(panel().getByRole('article', { name: 'Preview' }))

/** Pastes a text: typing renders the form once for each key. */
async function paste(label: string, text: string) {
  await user.click(field(label))
  await user.paste(text)
}

async function fillForm() {
  await paste('Source URL', 'https://video.example/1')
  await paste('Thumbnail URL', 'https://img.example/1.jpg')
  await paste('Embed URL', 'https://player.example/1')
  await paste('Video Title', 'A fine film')
  await user.type(field('Tags'), 'short film, , animation ,')
  await user.selectOptions(field('Collection'), 'Films')
  await user.selectOptions(field('Channel'), 'Blender')
}

test('the manual tab is shown first, with the notice about thumbnails above', async () => {
  startFakeServer()
  await openPage()
  expect(screen.getByRole('tab', { name: 'Manual Add' }).getAttribute('aria-selected')).toBe('true')
  expect(screen.getByText(/may be removed or made private without warning/)).toBeTruthy()
  expect(panel().getByText('Fill the form to see a preview.')).toBeTruthy()
  expect(field('Orientation')).toHaveProperty('value', 'sfw')
  expect(field('Access')).toHaveProperty('value', 'public')
})

test('saving sends the values of the form and opens the new bookmark', async () => {
  const requests = startFakeServer()
  const page = await openPage()
  await fillForm()
  await submit()
  await waitFor(() => expect(page.path()).toBe('/bookmarks/5'))
  const tags = ['short film', 'animation']
  expect(saveRequests(requests)[0]?.body).toEqual({
    video: {
      source_url: 'https://video.example/1',
      title: 'A fine film',
      thumbnail_url: 'https://img.example/1.jpg',
      embed_url: 'https://player.example/1',
      orientation: 'sfw',
      tags,
    },
    bookmark: { channel_id: 22, description: '', access: 'public', tags },
  })
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('the channel is disabled without a collection and if the collection has none', async () => {
  const requests = startFakeServer()
  await openPage()
  await fillForm()
  expect(field('Channel')).toHaveProperty('disabled', false)
  await user.selectOptions(field('Collection'), 'Loose')
  expect(field('Channel')).toHaveProperty('disabled', true)
  await submit()
  await waitFor(() => expect(saveRequests(requests)).toHaveLength(1))
  expect(saveRequests(requests)[0]?.body).toMatchObject({ bookmark: { channel_id: null, collection_id: 3 } })
})

test('an empty form is not sent: required fields show errors, and the first gets the focus', async () => {
  const requests = startFakeServer()
  await openPage()
  expect(field('Channel')).toHaveProperty('disabled', true)
  await submit()
  for (const label of ['Source URL', 'Thumbnail URL', 'Embed URL', 'Video Title', 'Collection']) {
    expect(panel().getByText(`${label} is required.`)).toBeTruthy()
  }
  expect(document.activeElement).toBe(field('Source URL'))
  await user.type(field('Source URL'), 'video.example')
  expect(panel().queryByText('Source URL is required.')).toBeNull()
  await submit()
  expect(panel().getByText('Enter a full URL starting with https://')).toBeTruthy()
  expect(saveRequests(requests)).toEqual([])
})

test('a collection with channels requires a channel', async () => {
  const requests = startFakeServer()
  await openPage()
  await fillForm()
  await user.selectOptions(field('Channel'), 'Select a channel')
  await submit()
  expect(panel().getByText('Channel is required.')).toBeTruthy()
  expect(document.activeElement).toBe(field('Channel'))
  expect(saveRequests(requests)).toEqual([])
})

test('a server error appears at its field, and the input stays', async () => {
  startFakeServer(() => [
    400,
    { code: 'invalid', video: { embed_url: ['Only https players can be shown.'] } },
  ])
  const page = await openPage()
  await fillForm()
  await submit()
  expect(await panel().findByText('Please check the form for errors')).toBeTruthy()
  expect(panel().getByText('Only https players can be shown.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(field('Embed URL')))
  expect(field('Video Title')).toHaveProperty('value', 'A fine film')
  expect(page.path()).toBe('/here')
})

test('a video already saved at the destination links to that bookmark', async () => {
  startFakeServer(() => [
    409,
    { detail: 'You already saved this video here.', code: 'already-saved', bookmark_id: 9 },
  ])
  await openPage()
  await fillForm()
  await submit()
  expect(await panel().findByText('You already saved this video here.')).toBeTruthy()
  expect(panel().getByRole('link', { name: 'View Bookmark' }).getAttribute('href')).toBe('/bookmarks/9')
})

test('a retry after a lost connection is the same save, and after a change another one', async () => {
  let answers: FakeAnswer[] = ['offline', [503, {}], [400, { detail: 'No.' }], [201, { id: 5 }]]
  const requests = startFakeServer(() => {
    const [first = 'offline', ...rest] = answers
    answers = rest
    return first
  })
  const page = await openPage()
  await fillForm()
  await submit()
  expect(await panel().findByText('Failed to save bookmark')).toBeTruthy()
  await submit()
  await waitFor(() => expect(saveRequests(requests)).toHaveLength(2))
  await user.type(field('Video Title'), '!')
  await submit()
  expect(await panel().findByText('No.')).toBeTruthy()
  await submit()
  await waitFor(() => expect(page.path()).toBe('/bookmarks/5'))
  const [first, second, third, fourth] = saveRequests(requests).map(
    ({ headers }) => headers['idempotency-key'],
  )
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  expect(fourth).not.toBe(third)
})

test('saving a link to an adult site as SFW shows an error at the orientation', async () => {
  const text = 'This site is for adults. Choose an orientation other than SFW.'
  startFakeServer(() => [400, { video: { orientation: [text] } }])
  await openPage()
  expect(panel().getByText(/Videos from adult sites never are\./)).toBeTruthy()
  await fillForm()
  await submit()
  expect(await panel().findByText(text)).toBeTruthy()
  expect(document.activeElement).toBe(field('Orientation'))
})

test('pressing Save while saving sends nothing', async () => {
  let finish = () => {}
  const requests = fakeApi(async (request) => {
    if (request.path !== '/bookmarks/manual-create/') return answerSupportingRequests(request)
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return [201, { id: 5 }]
  })
  const page = await openPage()
  await fillForm()
  await submit()
  const button = panel().getByRole('button', { name: 'Saving...' })
  expect(button).toHaveProperty('disabled', true)
  await user.type(field('Video Title'), '{Enter}')
  expect(saveRequests(requests)).toHaveLength(1)
  finish()
  await waitFor(() => expect(page.path()).toBe('/bookmarks/5'))
})

test('a title that is too long is not cut, and the error of the server appears at it', async () => {
  const text = 'Must be 300 characters or fewer.'
  startFakeServer(() => [400, { code: 'invalid', video: { title: [text] } }])
  await openPage()
  await fillForm()
  await user.clear(field('Video Title'))
  await user.click(field('Video Title'))
  await user.paste('x'.repeat(301))
  await submit()
  expect(await screen.findByText(text)).toBeTruthy()
  expect(field('Video Title')).toHaveProperty('value', 'x'.repeat(301))
})

test('the preview shows the input and loads a player only after a click', async () => {
  startFakeServer()
  const page = await openPage()
  await user.type(field('Description'), ' ')
  expect(panel().getByText('Fill the form to see a preview.')).toBeTruthy()
  await user.type(field('Description'), 'Made in 2008')
  expect(preview().getByText('Video Title Preview')).toBeTruthy()
  expect(preview().getByText('No Video Preview Available')).toBeTruthy()
  expect(preview().getByText('No thumbnail provided.')).toBeTruthy()
  expect(preview().getByText('Selected Channel')).toBeTruthy()
  expect(preview().getByText('Added by You')).toBeTruthy()
  expect(preview().getByText('Just now')).toBeTruthy()
  expect(preview().getByText('Unknown')).toBeTruthy()
  expect(preview().getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  expect(preview().getByRole('button', { name: /View Source/ })).toHaveProperty('disabled', true)
  await user.clear(field('Description'))
  await fillForm()
  expect(preview().getByText('Description preview will appear here.')).toBeTruthy()
  expect(preview().getByText('A fine film')).toBeTruthy()
  expect(preview().getByText('Blender')).toBeTruthy()
  expect(preview().getByText('short film')).toBeTruthy()
  // The picture comes from our server, and the shape from the picture.
  expect(preview().getByText('Thumbnail from img.example')).toBeTruthy()
  expect(await preview().findByText('Portrait')).toBeTruthy()
  expect(page.container.querySelector(`img[src="${tallPicture.picture}"]`)).toBeTruthy()
  const source = preview().getByRole('link', { name: /View Source/ })
  expect(source.getAttribute('href')).toBe('https://video.example/1')
  expect(source.getAttribute('target')).toBe('_blank')

  const externalFrames = () =>
    [...page.container.querySelectorAll('[src]')].filter(
      (element) => !/^\/media\/|^data:image\/webp;/.test(element.getAttribute('src') ?? ''),
    )
  expect(externalFrames()).toEqual([])
  await user.click(preview().getByRole('button', { name: 'Load player from player.example' }))
  expect(externalFrames()).toHaveLength(1)
  const frame = preview().getByTitle('Player: A fine film')
  expect(frame.getAttribute('src')).toBe('https://player.example/1')
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts allow-presentation')
  await user.type(field('Embed URL'), '2')
  expect(externalFrames()).toEqual([])
})

test.for([
  'javascript:alert(1)',
  'http://player.example/1',
  `${window.location.origin}/embed/1`,
  'https://localhost/x',
  'data:text/html,x',
  '//player.example/',
])('%s is not loaded as a player', async (address) => {
  startFakeServer()
  await openPage()
  await user.type(field('Embed URL'), address)
  expect(preview().queryByRole('button', { name: /Load player/ })).toBeNull()
  expect(preview().getByText("This embed URL can't be played.")).toBeTruthy()
})

test('a draft survives a reload, for the same user only', async () => {
  startFakeServer()
  await openPage()
  await user.type(field('Video Title'), 'Half a thought')
  await user.selectOptions(field('Collection'), 'Films')
  cleanup()
  await openPage()
  expect(field('Video Title')).toHaveProperty('value', 'Half a thought')
  expect(field('Collection')).toHaveProperty('value', '2')
  cleanup()
  signInAs('bob')
  await openPage()
  expect(field('Video Title')).toHaveProperty('value', '')
})

test('a draft survives a session that runs out while saving', async () => {
  fakeApi((request) =>
    ['/bookmarks/manual-create/', '/token/refresh/'].includes(request.path)
      ? [401, { detail: 'Token is invalid or expired' }]
      : answerSupportingRequests(request),
  )
  const redirects: string[] = []
  const restoreRedirector = setRedirector((path) => redirects.push(path))
  await openPage()
  await fillForm()
  localStorage.setItem('token_expiry', new Date().toISOString())
  await submit()
  await waitFor(() => expect(redirects[0]).toContain('/login?redirect='))
  restoreRedirector()
  cleanup()
  signInAs('alice')
  startFakeServer()
  await openPage()
  expect(field('Video Title')).toHaveProperty('value', 'A fine film')
  expect(field('Tags')).toHaveProperty('value', 'short film, , animation ,')
  expect(field('Channel')).toHaveProperty('value', '22')
})

test('the form starts with the profile’s defaults, and a draft stores only what the user changed', async () => {
  startFakeServer()
  const profile = { default_bookmark_orientation: 'gay', default_bookmark_collection: 2 } as const
  signInAs('alice', { profile })
  await openPage()
  expect(field('Orientation')).toHaveProperty('value', 'gay')
  expect(field('Collection')).toHaveProperty('value', '2')
  expect(field('Channel')).toHaveProperty('value', '21')
  await user.type(field('Video Title'), 'Half a thought')
  cleanup()

  signInAs('alice', { profile: { ...profile, default_bookmark_orientation: 'bi' } })
  await openPage()
  expect(field('Video Title')).toHaveProperty('value', 'Half a thought')
  expect(field('Orientation')).toHaveProperty('value', 'bi')
  await user.selectOptions(field('Orientation'), 'SFW')
  await user.selectOptions(field('Collection'), 'My Vault')
  cleanup()
  await openPage()
  expect(field('Orientation')).toHaveProperty('value', 'sfw')
  expect(field('Collection')).toHaveProperty('value', '1')
})

test('signing out deletes drafts', async () => {
  startFakeServer()
  const restoreRedirector = setRedirector(() => undefined)
  await openPage()
  await user.type(field('Video Title'), 'Half a thought')
  await signOut()
  expect(Object.keys(sessionStorage)).toEqual([])
  restoreRedirector()
})

test('if the collections fail to load, the user can retry', async () => {
  let isServerUp = false
  fakeApi(() => (isServerUp ? [200, collectionsPage()] : [503, {}]))
  await renderPage(<AddBookmarkPage search={{}} onTab={() => undefined} />)
  expect(await panel().findByText('Failed to load collections.')).toBeTruthy()
  isServerUp = true
  await user.click(panel().getByRole('button', { name: 'Try again' }))
  expect(await panel().findByRole('option', { name: 'My Vault' })).toBeTruthy()
})
