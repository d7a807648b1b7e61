import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { sampleBookmark } from '../../testing/sample-bookmark.ts'
import {
  articleNames,
  commentsPage,
  renderComments,
  requestBodies,
  startFakeServer,
  testComment,
  video,
} from './comments.fixture.tsx'

const user = userEvent.setup({ delay: null })

beforeAll(fakeDialogs)
beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('replies', () => {
  const comment = testComment(1, 'ben', 'A question', { replies_count: 2 })
  const more = '/comments/1/replies/?page=2&cursor=a1_11'

  test('are shown, loaded page by page, and hidden', async () => {
    let sentRequests = 0
    startFakeServer({
      [`GET ${video}`]: commentsPage([comment]),
      'GET /comments/1/replies/': () => {
        sentRequests += 1
        return commentsPage([testComment(11, 'mara', 'One')], { count: 2, next: `/api${more}` })
      },
      [`GET ${more}`]: commentsPage([testComment(12, 'ben', 'Two')], { count: 2 }),
    })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    await screen.findByText('One')
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    await screen.findByText('Two')
    expect(articleNames()).toEqual(['Comment by ben', 'Reply by mara', 'Reply by ben'])
    await user.click(screen.getByRole('button', { name: 'Hide replies' }))
    expect(articleNames()).toEqual(['Comment by ben'])
    await user.click(screen.getByRole('button', { name: 'Show 2 replies' }))
    await screen.findByText('One')
    expect(screen.queryByText('Two')).toBeNull()
    expect(sentRequests).toBe(2)
  })

  test('that fail to load show an error', async () => {
    startFakeServer({ [`GET ${video}`]: commentsPage([comment]), 'GET /comments/1/replies/': [500, {}] })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    expect(await screen.findByText('Failed to load replies. Please try again.')).toBeTruthy()
  })

  test('are posted, counted and fetched again, also beyond the first page', async () => {
    signInAs('ana')
    let sentRequests = 0
    const requests = startFakeServer({
      [`GET ${video}`]: commentsPage([comment]),
      'GET /comments/1/replies/': () => {
        sentRequests += 1
        return commentsPage([testComment(11, 'mara', 'One')], { count: 3, next: `/api${more}` })
      },
      'POST /comments/1/replies/': [201, testComment(13, 'ana', 'My answer')],
    })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    await screen.findByText('One')
    await user.click(screen.getByRole('button', { name: 'Reply' }))
    const box = await screen.findByLabelText('Your reply to ben')
    await waitFor(() => expect(document.activeElement).toBe(box))
    await user.type(box, ' My answer ')
    await user.click(screen.getByRole('button', { name: 'Post reply' }))
    await screen.findByText('My answer', { selector: 'p' })
    expect(requestBodies(requests, 'POST')).toEqual([['/comments/1/replies/', { content: 'My answer' }]])
    await waitFor(() => expect(sentRequests).toBe(2))
    expect(screen.getByText('Reply posted.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Reply' })))
    await user.click(screen.getByRole('button', { name: 'Hide replies' }))
    expect(screen.getByRole('button', { name: 'Show 3 replies' })).toBeTruthy()
  })

  test('that fail to be posted, edited or deleted show an error', async () => {
    signInAs('ana')
    startFakeServer({
      [`GET ${video}`]: commentsPage([comment]),
      'GET /comments/1/replies/': commentsPage([testComment(11, 'ana', 'One')]),
      'POST /comments/1/replies/': 'offline',
      'PATCH /replies/11/': 'offline',
      'DELETE /replies/11/': 'offline',
    })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    await user.click(await screen.findByRole('button', { name: 'Reply' }))
    await user.type(await screen.findByLabelText('Your reply to ben'), 'Hello')
    await user.click(screen.getByRole('button', { name: 'Post reply' }))
    await screen.findByText('Failed to post reply. Please try again.')
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    await user.type(await screen.findByLabelText('Your reply'), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Failed to update reply. Please try again.')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('Are you sure you want to delete this reply?')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete reply. Please try again.')).toBeTruthy()
  })

  test('are edited and deleted by their author, and the count decreases', async () => {
    signInAs('ana')
    startFakeServer({
      [`GET ${video}`]: commentsPage([comment]),
      'GET /comments/1/replies/': commentsPage([
        testComment(11, 'ana', 'One'),
        testComment(12, 'ben', 'Two'),
      ]),
      'PATCH /replies/11/': [200, testComment(11, 'ana', 'Uno', { updated_at: '2026-01-03T00:00:00.000Z' })],
      'DELETE /replies/11/': [204],
    })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const box = await screen.findByLabelText('Your reply')
    await user.clear(box)
    await user.type(box, 'Uno')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Uno', { selector: 'p' })
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(articleNames()).toEqual(['Comment by ben', 'Reply by ben']))
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-1'))
    await user.click(screen.getByRole('button', { name: 'Hide replies' }))
    expect(screen.getByRole('button', { name: 'Show 1 reply' })).toBeTruthy()
  })
})

describe('a permanent link', () => {
  const context = { video_id: sampleBookmark.video.id, bookmark_id: 7, parent: null }

  test('leads to a comment on the first page', async () => {
    startFakeServer({
      [`GET ${video}`]: commentsPage([testComment(2, 'ben', 'Second'), testComment(1, 'ben', 'First')]),
    })
    await renderComments({ path: '/here?comment=1' })
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-1'))
    expect(document.getElementById('comment-1')?.className).toContain('bg-hover')
    expect(document.getElementById('comment-2')?.className).not.toContain('bg-hover')
  })

  test('leads to a comment on a later page, which is shown once', async () => {
    const next = `${video}?page=2&cursor=a1_2`
    startFakeServer({
      [`GET ${video}`]: commentsPage([testComment(9, 'ben', 'New')], { count: 2, next: `/api${next}` }),
      [`GET ${next}`]: commentsPage([testComment(3, 'ben', 'Old')], { count: 2 }),
      'GET /comments/3/': [200, { ...testComment(3, 'ben', 'Old'), ...context }],
    })
    await renderComments({ path: '/here?comment=3' })
    await screen.findByText('Old')
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-3'))
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull())
    expect(screen.getAllByText('Old')).toHaveLength(1)
  })

  test('leads to a reply, shown among the other replies', async () => {
    const parent = testComment(2, 'ben', 'A question', { replies_count: 30 })
    startFakeServer({
      [`GET ${video}`]: commentsPage([parent]),
      'GET /comments/2/replies/': commentsPage([testComment(11, 'mara', 'One')], {
        count: 30,
        next: '/api/comments/2/replies/?page=2&page_size=20&cursor=a1_11',
      }),
      'GET /comments/30/': [200, { ...testComment(30, 'mara', 'The thirtieth'), ...context, parent }],
    })
    await renderComments({ path: '/here?comment=30' })
    await screen.findByText('The thirtieth')
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-30'))
    expect(articleNames()).toEqual(['Comment by ben', 'Reply by mara', 'Reply by mara'])
  })

  test('to a deleted comment or one of another video shows a message', async () => {
    startFakeServer({
      [`GET ${video}`]: commentsPage([testComment(2, 'ben', 'Here')]),
      'GET /comments/3/': [200, { ...testComment(3, 'ben', 'Elsewhere'), ...context, video_id: 999 }],
    })
    await renderComments({ path: '/here?comment=4' })
    await screen.findByText(/has been deleted/)
    cleanup()
    await renderComments({ path: '/here?comment=3' })
    await screen.findByText(/has been deleted/)
    expect(screen.queryByText('Elsewhere')).toBeNull()
  })
})
