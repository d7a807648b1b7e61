import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
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
const nextPage = `${video}?page=2&cursor=a1_2`
const post = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Post comment' })

beforeAll(() => {
  fakeDialogs()
  HTMLElement.prototype.hidePopover = () => {}
})
beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('a visitor', () => {
  test('sees authors and times, and is asked to sign in to comment', async () => {
    startFakeServer({
      [`GET ${video}`]: commentsPage([
        testComment(3, 'ben', 'A lovely film', { replies_count: 2 }),
        testComment(2, 'mara', 'I saved it', { updated_at: '2026-01-03T00:00:00.000Z' }),
        testComment(1, '', 'Long ago', { user: null, replies_count: 1 }),
      ]),
    })
    await renderComments()
    await screen.findByText('A lovely film')
    expect(articleNames()).toEqual(['Comment by ben', 'Comment by mara', 'Comment by Deleted user'])
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

  test('sees an error if the comments fail to load, and can retry', async () => {
    let isDown = true
    startFakeServer({
      [`GET ${video}`]: () => (isDown ? [503, {}] : commentsPage([testComment(1, 'ben', 'Here')])),
    })
    await renderComments()
    await screen.findByText('Failed to load comments. Please try again.')
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Here')).toBeTruthy()
  })

  test('loads the next page, and the focus moves to its first comment', async () => {
    startFakeServer({
      [`GET ${video}`]: commentsPage([testComment(2, 'ben', 'Second')], {
        count: 2,
        next: `/api${nextPage}`,
      }),
      [`GET ${nextPage}`]: commentsPage([testComment(1, 'ben', 'First')], { count: 2 }),
    })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    await screen.findByText('First')
    await waitFor(() => expect(document.activeElement?.id).toBe('comment-1'))
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('sees comments as plain text with line breaks and links', async () => {
    const content =
      'One\nTwo <img src=x onerror=alert(1)> **no** javascript:alert(1) see https://a.example/b_(c). (http://d.example/?e=f&g) https://u:p@evil.example/'
    startFakeServer({ [`GET ${video}`]: commentsPage([testComment(1, 'ben', content)]) })
    await renderComments()
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
  test('of a deleted user can be reported', async () => {
    signInAs('ana')
    startFakeServer({ [`GET ${video}`]: commentsPage([testComment(1, '', 'Long ago', { user: null })]) })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'More options for this comment' }))
    await user.click(screen.getByRole('menuitem', { name: 'Report comment', hidden: true }))
    const dialog = await screen.findByRole('dialog', { name: 'Report comment' })
    expect(within(dialog).getByText('by Deleted user')).toBeTruthy()
  })

  test('shows its length while typing, and cannot be posted while blank or too long', async () => {
    signInAs('ana')
    startFakeServer({ [`GET ${video}`]: commentsPage([]) })
    await renderComments()
    const box = await screen.findByLabelText('Your comment')
    const isDisabled = () => post().disabled
    const expectCount = (count: number) =>
      expect(screen.getByText(new RegExp(`^Characters: ${count}/500|^${count}/500`))).toBeTruthy()
    expect(isDisabled()).toBe(true)
    await user.type(box, '   ')
    expect(isDisabled()).toBe(true)
    await user.type(box, 'Hello ')
    expectCount(5)
    expect(isDisabled()).toBe(false)
    await user.clear(box)
    await user.click(box)
    await user.paste('😀'.repeat(500))
    expectCount(500)
    expect(isDisabled()).toBe(false)
    await user.type(box, '!')
    expectCount(501)
    expect(isDisabled()).toBe(true)
    expect(screen.getByText('1 character over the limit')).toBeTruthy()
  })

  test('is sent trimmed, appears first, is counted and announced, and leaves an empty focused input', async () => {
    signInAs('ana')
    const requests = startFakeServer({
      [`GET ${video}`]: commentsPage([testComment(1, 'ben', 'Before')]),
      [`POST ${video}`]: [201, testComment(2, 'ana', 'After')],
    })
    await renderComments()
    const box = await screen.findByLabelText<HTMLTextAreaElement>('Your comment')
    await user.type(box, '  After ')
    await user.click(post())
    await screen.findByText('After', { selector: 'p' })
    expect(articleNames()).toEqual(['Comment by ana', 'Comment by ben'])
    expect(requestBodies(requests, 'POST')).toEqual([[video, { content: 'After' }]])
    expect(requests.find(({ method }) => method === 'POST')?.headers['idempotency-key']).toBeTruthy()
    expect(screen.getByRole('heading', { name: /Comments/ }).textContent).toBe('Comments2')
    expect(screen.getByText('Comment posted.')).toBeTruthy()
    expect(box.value).toBe('')
    await waitFor(() => expect(document.activeElement).toBe(box))
  })

  test('posted while the next page is loading is shown, and the next page can still be loaded', async () => {
    signInAs('ana')
    let isPosted = false
    let respond = () => {}
    const firstRequest = new Promise<void>((resolve) => {
      respond = resolve
    })
    const older = commentsPage([testComment(1, 'ben', 'Older')], { count: 3 })
    startFakeServer({
      [`GET ${video}`]: () =>
        commentsPage([...(isPosted ? [testComment(3, 'ana', 'Mine')] : []), testComment(2, 'ben', 'Newer')], {
          count: isPosted ? 3 : 2,
          next: `/api${nextPage}`,
        }),
      [`GET ${nextPage}`]: () => firstRequest.then(() => older),
      [`POST ${video}`]: () => {
        isPosted = true
        return [201, testComment(3, 'ana', 'Mine')]
      },
    })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    await user.type(screen.getByLabelText('Your comment'), 'Mine')
    await user.click(post())
    await screen.findByText('Mine', { selector: 'p' })
    respond()
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Load more' }).disabled).toBe(false),
    )
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    await screen.findByText('Older')
    expect(articleNames()).toEqual(['Comment by ana', 'Comment by ben', 'Comment by ben'])
    expect(screen.getByRole('heading', { name: /Comments/ }).textContent).toBe('Comments3')
  })

  test('is neither sent again nor changed while it is being sent', async () => {
    signInAs('ana')
    let respond = () => {}
    const requests = startFakeServer({
      [`GET ${video}`]: commentsPage([]),
      [`POST ${video}`]: async () => {
        await new Promise<void>((resolve) => {
          respond = resolve
        })
        return [201, testComment(2, 'ana', 'Once')]
      },
    })
    await renderComments()
    await user.type(await screen.findByLabelText('Your comment'), 'Once')
    await user.click(post())
    const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Posting...' })
    expect(busy.disabled).toBe(true)
    await user.keyboard('{Control>}{Enter}{/Control}')
    // What is typed meanwhile would be lost when the input is emptied.
    const box = screen.getByLabelText<HTMLTextAreaElement>('Your comment')
    await user.type(box, ' more')
    expect(box.value).toBe('Once')
    respond()
    await screen.findByText('Once', { selector: 'p' })
    expect(requestBodies(requests, 'POST')).toHaveLength(1)
  })

  test('that could not be posted stays in the input, and a retry uses the same key', async () => {
    signInAs('ana')
    const requests = startFakeServer({ [`GET ${video}`]: commentsPage([]), [`POST ${video}`]: 'offline' })
    await renderComments()
    const box = await screen.findByLabelText<HTMLTextAreaElement>('Your comment')
    await user.type(box, 'Hello')
    await user.click(post())
    await screen.findByText('Failed to post comment. Please try again.')
    expect(box.value).toBe('Hello')
    await user.click(post())
    await waitFor(() => expect(requestBodies(requests, 'POST')).toHaveLength(2))
    const keys = requests
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers['idempotency-key'])
    expect(keys[1]).toBe(keys[0])
  })

  test('shows the reason if the user can fix it', async () => {
    signInAs('ana')
    const reason = 'Must have 30 line breaks or fewer.'
    startFakeServer({
      [`GET ${video}`]: commentsPage([]),
      [`POST ${video}`]: [400, { code: 'invalid', content: [reason] }],
    })
    await renderComments()
    await user.type(await screen.findByLabelText('Your comment'), 'Hello')
    await user.click(post())
    expect(await screen.findByText(`Failed to post comment. Please try again. ${reason}`)).toBeTruthy()
  })

  test('is stored as a draft of its author', async () => {
    signInAs('ana')
    startFakeServer({ [`GET ${video}`]: commentsPage([]) })
    await renderComments()
    await user.type(await screen.findByLabelText('Your comment'), 'Half a thou')
    cleanup()
    await renderComments()
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Your comment')).value).toBe('Half a thou')
    cleanup()
    act(() => signInAs('ben'))
    await renderComments()
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Your comment')).value).toBe('')
  })

  test('can only be edited by its author, and not saved unchanged or empty', async () => {
    signInAs('Ana')
    const edited = testComment(2, 'ana', 'Better', { updated_at: '2026-01-03T00:00:00.000Z' })
    const requests = startFakeServer({
      [`GET ${video}`]: commentsPage([
        testComment(2, 'ana', 'Good', { replies_count: 1 }),
        testComment(1, 'ben', 'Other'),
      ]),
      'PATCH /comments/2/': [200, edited],
    })
    await renderComments()
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
    expect(requestBodies(requests, 'PATCH')).toEqual([['/comments/2/', { content: 'Better' }]])
    expect(screen.getByText('edited')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Show 1 reply' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' })))
  })

  test('is unchanged when editing is cancelled or fails', async () => {
    signInAs('ana')
    startFakeServer({
      [`GET ${video}`]: commentsPage([testComment(2, 'ana', 'Good')]),
      'PATCH /comments/2/': [500, {}],
    })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    await user.type(await screen.findByLabelText('Your comment', { selector: '#comment-2 *' }), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Failed to update comment. Please try again.')
    await user.keyboard('{Escape}')
    expect(await screen.findByText('Good', { selector: 'p' })).toBeTruthy()
  })

  test('can be edited after Escape or a reload from where the author left off, until they cancel or save', async () => {
    signInAs('ana')
    startFakeServer({
      [`GET ${video}`]: commentsPage([testComment(2, 'ana', 'Good')]),
      'PATCH /comments/2/': [200, testComment(2, 'ana', 'Better')],
    })
    const edit = async () => {
      await user.click(await screen.findByRole('button', { name: 'Edit' }))
      return screen.findByLabelText<HTMLTextAreaElement>('Your comment', { selector: '#comment-2 *' })
    }
    const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))
    await renderComments()
    await user.type(await edit(), '!{Backspace}{Escape}')
    expect(drafts()).toEqual([])
    await user.type(await edit(), ' and more{Escape}')
    expect((await edit()).value).toBe('Good and more')
    cleanup()
    await renderComments()
    expect((await edit()).value).toBe('Good and more')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect((await edit()).value).toBe('Good')
    await user.clear(await screen.findByLabelText('Your comment', { selector: '#comment-2 *' }))
    await user.paste('Better')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Better', { selector: 'p' })
    expect(drafts()).toEqual([])
  })

  test('is deleted after confirmation, and the count decreases', async () => {
    signInAs('ana')
    let isServerUp = false
    const requests = startFakeServer({
      [`GET ${video}`]: commentsPage([testComment(2, 'ana', 'Mine'), testComment(1, 'ben', 'Other')]),
      'DELETE /comments/2/': () => (isServerUp ? [204] : 'offline'),
    })
    await renderComments()
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('Are you sure you want to delete this comment?')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(requestBodies(requests, 'DELETE')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    const reopenedDialog = await screen.findByRole('dialog')
    await user.click(within(reopenedDialog).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Failed to delete comment. Please try again.')
    isServerUp = true
    await user.click(within(reopenedDialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(articleNames()).toEqual(['Comment by ben']))
    const heading = screen.getByRole('heading', { name: /Comments/ })
    expect(heading.textContent).toBe('Comments1')
    expect(screen.getByText('Comment deleted.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(heading))
  })

  test('cannot be written on a video without public bookmarks', async () => {
    signInAs('ana')
    startFakeServer({ [`GET ${video}`]: commentsPage([]) })
    await renderComments({ bookmark: { video: { ...sampleBookmark.video, saves_count: 0 } } })
    expect(await screen.findByText(/Comments are off because/)).toBeTruthy()
    expect(screen.queryByLabelText('Your comment')).toBeNull()
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading comments' })).toBeNull())
    expect(screen.queryByText(/No comments yet/)).toBeNull()
  })
})
