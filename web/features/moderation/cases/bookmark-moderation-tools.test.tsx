import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { Toaster } from '../../../ui/toaster.tsx'
import { BookmarkSummary } from '../../bookmark-page/bookmark-summary.tsx'

const user = userEvent.setup({ delay: null })

// Loaded in advance, because lazy imports are slow on a busy machine.
beforeAll(() => Promise.all([import('./bookmark-moderation-tools.tsx'), import('./edit-video-dialog.tsx')]))
beforeEach(() => {
  fakeDialogs()
  resetBrowser()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const bookmark: Bookmark = {
  ...sampleBookmark,
  video: { ...sampleBookmark.video, tags: [{ id: 1, name: 'dragon' }] },
}

async function renderTools(
  answers: Record<string, FakeAnswer | (() => FakeAnswer)> = {},
  isModerator = true,
  shown = bookmark,
) {
  signInAs('mod', { profile: { is_moderator: isModerator } })
  const requests = fakeApi(({ method, path }) => {
    const answer = answers[`${method} ${path}`]
    if (answer !== undefined) return typeof answer === 'function' ? answer() : answer
    return path.startsWith('/tags/')
      ? [200, { count: 0, results: [] }]
      : [404, { detail: 'Not found.', code: 'not-found' }]
  })
  const page = await renderPage(
    <>
      <BookmarkSummary bookmark={shown} />
      <Toaster />
    </>,
    { path: '/bookmarks/7' },
  )
  return { page, requests }
}

const sentRequests = (requests: FakeRequest[]) =>
  requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => [`${method} ${path}`, body])

/** The changes, without the previews of pictures. */
const changesOf = (requests: FakeRequest[]) =>
  sentRequests(requests).filter(([request]) => String(request).startsWith('PATCH '))

test('only moderators see the moderation tools', async () => {
  await renderTools({}, false)
  // Waits until lazy components would have been loaded.
  await screen.findByRole('button', { name: 'Share' })
  await new Promise((done) => setTimeout(done, 50))
  expect(screen.queryByRole('button', { name: 'Delete Video' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit Video' })).toBeNull()
})

test('a moderator edits video and bookmark; titles are required and tags are separated by commas', async () => {
  const { requests } = await renderTools({
    'PATCH /moderation/edit-video/9/': [200, {}],
    'PATCH /moderation/edit-bookmark/7/': [200, {}],
  })
  await user.click(await screen.findByRole('button', { name: 'Edit Video' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Video & Bookmark' }))
  const title = dialog.getByLabelText(/^Video title/)
  await user.clear(title)
  await user.clear(dialog.getByLabelText(/^Bookmark title/))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(dialog.getAllByRole('alert').map((item) => item.textContent)).toEqual([
    'Video title is required.',
    'Bookmark title is required.',
  ])
  expect(document.activeElement).toBe(title)
  expect(sentRequests(requests)).toEqual([])
  const description = dialog.getByLabelText('Video description')
  await user.click(description)
  await user.paste('x'.repeat(5001))
  await user.click(title)
  await user.paste('x'.repeat(301))
  await user.type(dialog.getByLabelText(/^Bookmark title/), 'My Sintel')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(dialog.getAllByRole('alert').map((item) => item.textContent)).toEqual([
    'Must be 300 characters or fewer.',
    'Must be 5000 characters or fewer.',
  ])
  expect(sentRequests(requests)).toEqual([])
  await user.clear(description)
  await user.type(description, bookmark.video.description || ' ')
  await user.clear(title)
  await user.type(title, ' Sintel (2010) ')
  await user.clear(dialog.getByLabelText('Video tags'))
  await user.type(dialog.getByLabelText('Video tags'), ' open movie ,, fantasy,')
  await user.selectOptions(dialog.getByLabelText('Orientation'), 'bi')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Video and bookmark updated.')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sentRequests(requests)).toEqual([
    [
      'PATCH /moderation/edit-video/9/',
      {
        title: 'Sintel (2010)',
        tags: ['open movie', 'fantasy'],
        orientation: 'bi',
      },
    ],
    ['PATCH /moderation/edit-bookmark/7/', { title: 'My Sintel' }],
  ])
})

test('a moderator who edits only the bookmark does not overwrite the video', async () => {
  const { requests } = await renderTools({ 'PATCH /moderation/edit-bookmark/7/': [200, {}] })
  await user.click(await screen.findByRole('button', { name: 'Edit Video' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Video & Bookmark' }))
  await user.type(dialog.getByLabelText('Bookmark description'), '!')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Video and bookmark updated.')).toBeTruthy()
  expect(sentRequests(requests)).toEqual([
    ['PATCH /moderation/edit-bookmark/7/', { description: `${bookmark.description}!` }],
  ])
})

test('a moderator replaces the picture and the player, and only these are sent', async () => {
  const video: Bookmark['video'] = {
    ...bookmark.video,
    provider: null,
    host: 'films.example.org',
    source_url: 'https://films.example.org/1',
    embed_url: 'https://player.example.org/1',
    player: 'other',
  }
  const answers = { 'PATCH /moderation/edit-video/9/': [200, {}] as FakeAnswer }
  const { requests } = await renderTools(answers, true, { ...bookmark, video })
  await user.click(await screen.findByRole('button', { name: 'Edit Video' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Video & Bookmark' }))
  await user.click(dialog.getByRole('radio', { name: 'Picture at a link' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('Enter a full URL starting with https://')
  expect(changesOf(requests)).toEqual([])
  await user.type(dialog.getByLabelText('Picture link'), ' https://img.example/a.jpg ')
  const player = dialog.getByLabelText('Embed URL')
  await user.clear(player)
  await user.type(player, ' https://player.example.org/2 ')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Video and bookmark updated.')).toBeTruthy()
  expect(changesOf(requests)).toEqual([
    [
      'PATCH /moderation/edit-video/9/',
      { thumbnail_url: 'https://img.example/a.jpg', embed_url: 'https://player.example.org/2' },
    ],
  ])
})

test("a failed edit shows the server's reason or a general text, and keeps the input", async () => {
  const replies: FakeAnswer[] = [
    [
      409,
      {
        error: 'This link belongs to another video.',
        detail: 'This link belongs to another video.',
        code: 'link-taken',
        video_id: 3,
      },
    ],
    [500, { error: 'Something went wrong on our side.' }],
  ]
  await renderTools({ 'PATCH /moderation/edit-video/9/': () => replies.shift() ?? 'offline' })
  await user.click(await screen.findByRole('button', { name: 'Edit Video' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Video & Bookmark' }))
  await user.type(dialog.getByLabelText(/^Video title/), '!')
  for (const text of ['This link belongs to another video.', 'Failed to update.', 'Failed to update.']) {
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(text)
  }
  expect((dialog.getByLabelText(/^Video title/) as HTMLInputElement).value).toBe(`${bookmark.video.title}!`)
})

async function openDeleteDialog() {
  await user.click(await screen.findByRole('button', { name: 'Delete Video' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Video' }))
  expect(
    dialog.getByText(
      'Are you sure you want to delete this video? This will also delete all bookmarks that reference this video. This action cannot be undone.',
    ),
  ).toBeTruthy()
  expect(dialog.getByText(/moderators can restore the video with its bookmarks, for 30 days/)).toBeTruthy()
  return dialog
}

const expectedReport = [
  'POST /report/',
  {
    video_id: 9,
    bookmark_id: 7,
    report_type: 'request_moderation',
    notes: 'Moderator-initiated deletion',
  },
]

test('deleting a video creates and approves a report, and goes home after 1.2 s', async () => {
  const { page, requests } = await renderTools({
    'POST /report/': [201, { id: 31 }],
    'POST /moderation/approve/': [200, {}],
  })
  const dialog = await openDeleteDialog()
  const timers = vi.spyOn(globalThis, 'setTimeout')
  await user.click(dialog.getByRole('button', { name: 'Delete Video' }))
  expect(await screen.findByText('Video and all related bookmarks deleted successfully.')).toBeTruthy()
  expect(sentRequests(requests)).toEqual([expectedReport, ['POST /moderation/approve/', { report_id: 31 }]])
  expect(page.path()).toBe('/bookmarks/7')
  expect(timers.mock.calls.map(([, ms]) => ms)).toContain(1200)
  timers.mockRestore()
  await waitFor(() => expect(page.path()).toBe('/'))
})

test('deleting a video approves an existing report', async () => {
  const { requests } = await renderTools({
    'POST /report/': [
      409,
      { error: "You've already reported this.", code: 'already-reported', report_id: 12 },
    ],
    'POST /moderation/approve/': [200, {}],
  })
  const dialog = await openDeleteDialog()
  await user.click(dialog.getByRole('button', { name: 'Delete Video' }))
  await waitFor(() =>
    expect(sentRequests(requests)).toEqual([
      expectedReport,
      ['POST /moderation/approve/', { report_id: 12 }],
    ]),
  )
})

test('a failed deletion shows the error, and a retry repeats the same report', async () => {
  const reports: FakeAnswer[] = ['offline', [403, { error: 'This account is suspended.' }], [201, { id: 31 }]]
  const approvals: FakeAnswer[] = [
    [500, {}],
    [409, { error: 'This has already been resolved.', code: 'already-decided', status: 'rejected' }],
  ]
  const { requests } = await renderTools({
    'POST /report/': () => reports.shift() ?? [201, { id: 31 }],
    'POST /moderation/approve/': () => approvals.shift() ?? 'offline',
  })
  const dialog = await openDeleteDialog()
  for (const text of [
    'Failed to create report for deletion.',
    'This account is suspended.',
    'Failed to delete video and bookmarks.',
    'This has already been resolved.',
  ]) {
    await user.click(dialog.getByRole('button', { name: 'Delete Video' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(text)
  }
  const keys = requests
    .filter(({ path }) => path === '/report/')
    .map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
})
