import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Comment } from '@reelmark/contract/comments.ts'
import { screen } from '@testing-library/react'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../testing/fake-api.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleBookmark } from '../../testing/sample-bookmark.ts'
import { CommentsSection } from './comments-section.tsx'

/** The path of the comments on the sample bookmark's video. */
export const video = `/videos/${sampleBookmark.video.id}/comments/`

/** Returns a user with this name. */
function testUser(username: string) {
  return { id: 1, username, avatar_url: '/media/default.jpg', is_verified: false }
}

/** Returns a comment or reply. */
export function testComment(
  id: number,
  username: string,
  content: string,
  more: Partial<Comment> = {},
): Comment {
  return {
    id,
    content,
    user: testUser(username),
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: '2026-01-02T03:04:05.000Z',
    replies_count: 0,
    is_author_of_bookmark: false,
    mute_id: null,
    ...more,
  }
}

type FakeAnswers = Record<string, FakeAnswer | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>)>
export const commentsPage = (results: Comment[], more: object = {}) =>
  [200, { count: results.length, next: null, previous: null, results, ...more }] as const

/** Starts a server with responses by method and path; the comments are `GET …/comments/`. */
export function startFakeServer(answers: FakeAnswers) {
  return fakeApi((request) => {
    const answer = answers[`${request.method} ${request.path}`]
    if (answer === undefined) return [404, { detail: 'Not found.', code: 'not-found' }]
    return typeof answer === 'function' ? answer(request) : answer
  })
}

export async function renderComments({
  bookmark = {},
  path = '/here',
}: {
  bookmark?: Partial<Bookmark>
  path?: string
} = {}) {
  return renderPage(<CommentsSection bookmark={{ ...sampleBookmark, ...bookmark }} />, { path })
}
export const requestBodies = (requests: FakeRequest[], method: string) =>
  requests.filter((request) => request.method === method).map(({ path, body }) => [path, body])
export const articleNames = () =>
  screen.getAllByRole('article').map((item) => item.getAttribute('aria-label'))
