import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Comment } from '@reelmark/contract/comments.ts'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { freshBrowser, signedInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleBookmark } from '../bookmarks/sample-bookmark.fixture.ts'
import { CommentsSection } from './comments-section.tsx'
import { aComment } from './sample-comments.fixture.ts'

const user = userEvent.setup({ delay: null })
const video = `/videos/${sampleBookmark.video.id}/comments/`

beforeAll(fakeDialogs)
beforeEach(freshBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

type Answers = Record<string, FakeAnswer | ((request: FakeRequest) => FakeAnswer)>
const page = (results: Comment[], more: object = {}) =>
  [200, { count: results.length, next: null, previous: null, results, ...more }] as const

/** Answers by method and path; the comments are `GET …/comments/`. */
function aServer(answers: Answers) {
  return fakeApi((request) => {
    const answer = answers[`${request.method} ${request.path}`]
    if (answer === undefined) return [404, { detail: 'Not found.' }]
    return typeof answer === 'function' ? answer(request) : answer
  })
}

async function show({ bookmark = {}, path = '/here' }: { bookmark?: Partial<Bookmark>; path?: string } = {}) {
  return renderPage(<CommentsSection bookmark={{ ...sampleBookmark, ...bookmark }} />, { path })
}
const bodies = (requests: FakeRequest[], method: string) =>
  requests.filter((request) => request.method === method).map(({ path, body }) => [path, body])
const articles = () => screen.getAllByRole('article').map((each) => each.getAttribute('aria-label'))
const post = () => screen.getByRole('button', { name: 'Post comment' })

describe('a visitor', () => {
  test('reads who said what, and is asked to sign in before saying anything', async () => {
    aServer({
      [`GET ${video}`]: page([
        aComment(3, 'ben', 'A lovely film', { replies_count: 2 }),
        aComment(2, 'mara', 'I saved it', { updated_at: '2026-01-03T00:00:00.000Z' }),
        aComment(1, '', 'Long ago', { user: null, replies_count: 1 }),
      ]),
    })
    await show()
    await screen.findByText('A lovely film')
    expect(articles()).toEqual(['Comment by ben', 'Comment by mara', 'Comment by Deleted user'])
    expect(screen.getByText('Sign in to join the conversation')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe(
      '/login?redirect=%2Fbookmarks%2F7%23comments',
    )
    const [ben, mara] = screen.getAllByRole('article') as [HTMLElement, HTMLElement]
    expect(within(ben).getByRole('link', { name: 'ben' }).getAttribute('href')).toBe('/users/ben')
    expect(within(ben).queryByText('edited')).toBeNull()
    expect(within(ben).queryByText('Author')).toBeNull()
    expect(within(mara).getByText('edited')).toBeTruthy()
    expect(within(mara).getByText('Author')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Show 2 replies' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Show 1 reply' })).toBeTruthy()
    for (const name of ['Reply', 'Edit', 'Delete', 'Post comment']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
  })

  test('is told where loading failed, and can try again', async () => {
    let isDown = true
    aServer({ [`GET ${video}`]: () => (isDown ? [503, {}] : page([aComment(1, 'ben', 'Here')])) })
    await show()
    await screen.findByText('Failed to load comments. Please try again.')
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Here')).toBeTruthy()
  })

  test('loads more by following next, and is taken to what came', async () => {
    const next = `/api${video}?page=2&page_size=20&cursor=a1_2`
    aServer({
      [`GET ${video}`]: page([aComment(2, 'ben', 'Second')], { count: 2, next }),
      [`GET ${video}?page=2&page_size=20&cursor=a1_2`]: page([aComment(1, 'ben', 'First')], { count: 2 }),
    })
    await show()
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    await screen.findByText('First')
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-1'))
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('sees what is written as text, whatever it is, with its line breaks and its links', async () => {
    const content =
      'One\nTwo <img src=x onerror=alert(1)> **no** javascript:alert(1) see https://a.example/b_(c). (http://d.example/?e=f&g) https://u:p@evil.example/'
    aServer({ [`GET ${video}`]: page([aComment(1, 'ben', content)]) })
    await show()
    const text = await screen.findByText(/^One/)
    expect(text.textContent).toBe(content)
    expect(text.className).toContain('whitespace-pre-line')
    expect(text.querySelector('img')).toBeNull()
    const links = [...text.querySelectorAll('a')]
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://a.example/b_(c)',
      'http://d.example/?e=f&g',
    ])
    for (const link of links) expect(link.rel).toBe('nofollow ugc noopener')
  })
})

describe('a comment', () => {
  test('is counted as it is typed, and cannot be posted while blank or too long', async () => {
    signedInAs('ana')
    aServer({ [`GET ${video}`]: page([]) })
    await show()
    const box = await screen.findByLabelText('Your comment')
    const isDisabled = () => (post() as HTMLButtonElement).disabled
    const says = (count: number) =>
      expect(screen.getByText(new RegExp(`^Characters: ${count}/500|^${count}/500`))).toBeTruthy()
    expect(isDisabled()).toBe(true)
    await user.type(box, '   ')
    expect(isDisabled()).toBe(true)
    await user.type(box, 'Hello ')
    says(5)
    expect(isDisabled()).toBe(false)
    await user.clear(box)
    await user.click(box)
    await user.paste('😀'.repeat(500))
    says(500)
    expect(isDisabled()).toBe(false)
    await user.type(box, '!')
    says(501)
    expect(isDisabled()).toBe(true)
    expect(screen.getByText('Too long by 1')).toBeTruthy()
  })

  test('is sent trimmed, comes first, is counted and said; the box is empty and has the keyboard', async () => {
    signedInAs('ana')
    const requests = aServer({
      [`GET ${video}`]: page([aComment(1, 'ben', 'Before')]),
      [`POST ${video}`]: [201, aComment(2, 'ana', 'After')],
    })
    await show()
    const box = await screen.findByLabelText<HTMLTextAreaElement>('Your comment')
    await user.type(box, '  After ')
    await user.click(post())
    await screen.findByText('After', { selector: 'p' })
    expect(articles()).toEqual(['Comment by ana', 'Comment by ben'])
    expect(bodies(requests, 'POST')).toEqual([[video, { content: 'After' }]])
    expect(requests.find(({ method }) => method === 'POST')?.headers['idempotency-key']).toBeTruthy()
    expect(screen.getByRole('heading', { name: /Comments/ }).textContent).toBe('Comments2')
    expect(screen.getByText('Comment posted.')).toBeTruthy()
    expect(box.value).toBe('')
    await waitFor(() => expect(document.activeElement).toBe(box))
  })

  test('that could not be posted is still there, and is the same when it is sent again', async () => {
    signedInAs('ana')
    const requests = aServer({ [`GET ${video}`]: page([]), [`POST ${video}`]: 'offline' })
    await show()
    const box = await screen.findByLabelText<HTMLTextAreaElement>('Your comment')
    await user.type(box, 'Hello')
    await user.click(post())
    await screen.findByText('Failed to post comment. Please try again.')
    expect(box.value).toBe('Hello')
    await user.click(post())
    await waitFor(() => expect(bodies(requests, 'POST')).toHaveLength(2))
    const keys = requests
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers['idempotency-key'])
    expect(keys[1]).toBe(keys[0])
  })

  test('says why, where that is something one can change', async () => {
    signedInAs('ana')
    const why = 'Ensure this field has no more than 30 line breaks.'
    aServer({ [`GET ${video}`]: page([]), [`POST ${video}`]: [400, { content: [why] }] })
    await show()
    await user.type(await screen.findByLabelText('Your comment'), 'Hello')
    await user.click(post())
    expect(await screen.findByText(`Failed to post comment. Please try again. ${why}`)).toBeTruthy()
  })

  test('is kept as a draft, whatever becomes of the page', async () => {
    signedInAs('ana')
    aServer({ [`GET ${video}`]: page([]) })
    await show()
    await user.type(await screen.findByLabelText('Your comment'), 'Half a thou')
    cleanup()
    await show()
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Your comment')).value).toBe('Half a thou')
    cleanup()
    act(() => signedInAs('ben'))
    await show()
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Your comment')).value).toBe('')
  })

  test('is edited by its author alone; the same words and none are not saved', async () => {
    signedInAs('Ana')
    const edited = aComment(2, 'ana', 'Better', { updated_at: '2026-01-03T00:00:00.000Z' })
    const requests = aServer({
      [`GET ${video}`]: page([aComment(2, 'ana', 'Good', { replies_count: 1 }), aComment(1, 'ben', 'Other')]),
      'PATCH /comments/2/': [200, edited],
    })
    await show()
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const box = await screen.findByLabelText<HTMLTextAreaElement>('Your comment', {
      selector: '#comment-2 *',
    })
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    await waitFor(() => expect(document.activeElement).toBe(box))
    expect(save.disabled).toBe(true)
    await user.type(box, ' ')
    expect(save.disabled).toBe(true)
    await user.clear(box)
    expect(save.disabled).toBe(true)
    await user.type(box, ' Better ')
    await user.click(save)
    await screen.findByText('Better', { selector: 'p' })
    expect(bodies(requests, 'PATCH')).toEqual([['/comments/2/', { content: 'Better' }]])
    expect(screen.getByText('edited')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Show 1 reply' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' })))
  })

  test('stays as it was when editing is cancelled or fails', async () => {
    signedInAs('ana')
    aServer({ [`GET ${video}`]: page([aComment(2, 'ana', 'Good')]), 'PATCH /comments/2/': [500, {}] })
    await show()
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    await user.type(await screen.findByLabelText('Your comment', { selector: '#comment-2 *' }), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Failed to update comment. Please try again.')
    await user.keyboard('{Escape}')
    expect(await screen.findByText('Good', { selector: 'p' })).toBeTruthy()
  })

  test('is deleted once that was asked; one less is counted', async () => {
    signedInAs('ana')
    let works = false
    const requests = aServer({
      [`GET ${video}`]: page([aComment(2, 'ana', 'Mine'), aComment(1, 'ben', 'Other')]),
      'DELETE /comments/2/': () => (works ? [204] : 'offline'),
    })
    await show()
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('Are you sure you want to delete this comment?')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(bodies(requests, 'DELETE')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    const again = await screen.findByRole('dialog')
    await user.click(within(again).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Failed to delete comment. Please try again.')
    works = true
    await user.click(within(again).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(articles()).toEqual(['Comment by ben']))
    const heading = screen.getByRole('heading', { name: /Comments/ })
    expect(heading.textContent).toBe('Comments1')
    expect(screen.getByText('Comment deleted.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(heading))
  })

  test('cannot be written where nobody keeps the video publicly', async () => {
    signedInAs('ana')
    aServer({ [`GET ${video}`]: page([]) })
    await show({ bookmark: { video: { ...sampleBookmark.video, saves_count: 0 } } })
    expect(await screen.findByText(/cannot be commented on/)).toBeTruthy()
    expect(screen.queryByLabelText('Your comment')).toBeNull()
  })
})

describe('replies', () => {
  const comment = aComment(1, 'ben', 'A question', { replies_count: 2 })
  const more = '/comments/1/replies/?page=2&page_size=20&cursor=a1_11'

  test('are shown, loaded further and hidden', async () => {
    let asked = 0
    aServer({
      [`GET ${video}`]: page([comment]),
      'GET /comments/1/replies/': () => {
        asked += 1
        return page([aComment(11, 'mara', 'One')], { count: 2, next: `/api${more}` })
      },
      [`GET ${more}`]: page([aComment(12, 'ben', 'Two')], { count: 2 }),
    })
    await show()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    await screen.findByText('One')
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    await screen.findByText('Two')
    expect(articles()).toEqual(['Comment by ben', 'Reply by mara', 'Reply by ben'])
    await user.click(screen.getByRole('button', { name: 'Hide replies' }))
    expect(articles()).toEqual(['Comment by ben'])
    await user.click(screen.getByRole('button', { name: 'Show 2 replies' }))
    await screen.findByText('One')
    expect(screen.queryByText('Two')).toBeNull()
    expect(asked).toBe(2)
  })

  test('that cannot be loaded are said to be so', async () => {
    aServer({ [`GET ${video}`]: page([comment]), 'GET /comments/1/replies/': [500, {}] })
    await show()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    expect(await screen.findByText('Failed to load replies. Please try again.')).toBeTruthy()
  })

  test('are posted, counted and loaded anew, also past the first page', async () => {
    signedInAs('ana')
    let asked = 0
    const requests = aServer({
      [`GET ${video}`]: page([comment]),
      'GET /comments/1/replies/': () => {
        asked += 1
        return page([aComment(11, 'mara', 'One')], { count: 3, next: `/api${more}` })
      },
      'POST /comments/1/replies/': [201, aComment(13, 'ana', 'My answer')],
    })
    await show()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    await screen.findByText('One')
    await user.click(screen.getByRole('button', { name: 'Reply' }))
    const box = await screen.findByLabelText('Your reply to ben')
    await waitFor(() => expect(document.activeElement).toBe(box))
    await user.type(box, ' My answer ')
    await user.click(screen.getByRole('button', { name: 'Post reply' }))
    await screen.findByText('My answer', { selector: 'p' })
    expect(bodies(requests, 'POST')).toEqual([['/comments/1/replies/', { content: 'My answer' }]])
    await waitFor(() => expect(asked).toBe(2))
    expect(screen.getByText('Reply posted.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Reply' })))
    await user.click(screen.getByRole('button', { name: 'Hide replies' }))
    expect(screen.getByRole('button', { name: 'Show 3 replies' })).toBeTruthy()
  })

  test('that fail to be posted, changed or deleted are said to be so', async () => {
    signedInAs('ana')
    aServer({
      [`GET ${video}`]: page([comment]),
      'GET /comments/1/replies/': page([aComment(11, 'ana', 'One')]),
      'POST /comments/1/replies/': 'offline',
      'PATCH /replies/11/': 'offline',
      'DELETE /replies/11/': 'offline',
    })
    await show()
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

  test('are edited and deleted by their author, and counted down', async () => {
    signedInAs('ana')
    aServer({
      [`GET ${video}`]: page([comment]),
      'GET /comments/1/replies/': page([aComment(11, 'ana', 'One'), aComment(12, 'ben', 'Two')]),
      'PATCH /replies/11/': [200, aComment(11, 'ana', 'Uno', { updated_at: '2026-01-03T00:00:00.000Z' })],
      'DELETE /replies/11/': [204],
    })
    await show()
    await user.click(await screen.findByRole('button', { name: 'Show 2 replies' }))
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const box = await screen.findByLabelText('Your reply')
    await user.clear(box)
    await user.type(box, 'Uno')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Uno', { selector: 'p' })
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(articles()).toEqual(['Comment by ben', 'Reply by ben']))
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-1'))
    await user.click(screen.getByRole('button', { name: 'Hide replies' }))
    expect(screen.getByRole('button', { name: 'Show 1 reply' })).toBeTruthy()
  })
})

describe('a permanent link', () => {
  const place = { video_id: sampleBookmark.video.id, bookmark_id: 7, parent: null }

  test('leads to a comment on the page', async () => {
    aServer({ [`GET ${video}`]: page([aComment(2, 'ben', 'Second'), aComment(1, 'ben', 'First')]) })
    await show({ path: '/here?comment=1' })
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-1'))
    expect(document.getElementById('comment-1')?.className).toContain('bg-hover')
    expect(document.getElementById('comment-2')?.className).not.toContain('bg-hover')
  })

  test('leads to a comment that is on no page yet, which is shown once', async () => {
    const next = `${video}?page=2&page_size=20&cursor=a1_2`
    aServer({
      [`GET ${video}`]: page([aComment(9, 'ben', 'New')], { count: 2, next: `/api${next}` }),
      [`GET ${next}`]: page([aComment(3, 'ben', 'Old')], { count: 2 }),
      'GET /comments/3/': [200, { ...aComment(3, 'ben', 'Old'), ...place }],
    })
    await show({ path: '/here?comment=3' })
    await screen.findByText('Old')
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-3'))
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull())
    expect(screen.getAllByText('Old')).toHaveLength(1)
  })

  test('leads to a reply, shown among the others', async () => {
    const parent = aComment(2, 'ben', 'A question', { replies_count: 30 })
    aServer({
      [`GET ${video}`]: page([parent]),
      'GET /comments/2/replies/': page([aComment(11, 'mara', 'One')], {
        count: 30,
        next: '/api/comments/2/replies/?page=2&page_size=20&cursor=a1_11',
      }),
      'GET /comments/30/': [200, { ...aComment(30, 'mara', 'The thirtieth'), ...place, parent }],
    })
    await show({ path: '/here?comment=30' })
    await screen.findByText('The thirtieth')
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-30'))
    expect(articles()).toEqual(['Comment by ben', 'Reply by mara', 'Reply by mara'])
  })

  test('to what is gone, or belongs to another video, says so', async () => {
    aServer({
      [`GET ${video}`]: page([aComment(2, 'ben', 'Here')]),
      'GET /comments/3/': [200, { ...aComment(3, 'ben', 'Elsewhere'), ...place, video_id: 999 }],
    })
    await show({ path: '/here?comment=4' })
    await screen.findByText(/is not there any more/)
    cleanup()
    await show({ path: '/here?comment=3' })
    await screen.findByText(/is not there any more/)
    expect(screen.queryByText('Elsewhere')).toBeNull()
  })
})
