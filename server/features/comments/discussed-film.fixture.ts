/** Users, films and calls for the tests of comments. */
import { createComment, createReply, listComments, listReplies } from '@reelmark/contract/comments.ts'
import type { TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'

/** Boots a site with Ana, Ben and a moderator. Call it at the top of a test file, like `useEmptySite`. */
export async function useCommentSite() {
  const site = await useEmptySite()
  const ana = await signUp(site, 'ana')
  const ben = await signUp(site, 'ben')
  const moderator = await signUpModerator(site, 'mod')
  let filmCount = 0

  return {
    site,
    ana,
    ben,
    moderator,
    /** Saves a new film as Ana. `filmCount` is the number of the film. */
    async createDiscussedFilm() {
      filmCount += 1
      const { id: bookmark, video } = await saveFilm(site, ana, `discussed-${filmCount}`)
      return { bookmark, video: video.id, filmCount }
    },
  }
}

export type CommentViewer = TestUser | null

/** Returns calls that write and list comments, by default those of the video that `getVideo` returns. */
export function commentCalls(site: TestApp, getVideo: () => number) {
  return {
    postComment: (content: string, viewer: TestUser, id = getVideo()) =>
      site.call(createComment, { params: { id }, body: { content } }, viewer),
    postReply: (id: number, content: string, viewer: TestUser) =>
      site.call(createReply, { params: { id }, body: { content } }, viewer),
    comments: (viewer: CommentViewer = null, query = {}, id = getVideo()) =>
      site.call(listComments, { params: { id }, query }, viewer),
    replies: (id: number, viewer: CommentViewer = null, query = {}) =>
      site.call(listReplies, { params: { id }, query }, viewer),
  }
}

export const notFound = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
export const notAllowed = {
  status: 403,
  body: { detail: "You don't have permission to do this.", code: 'forbidden' },
}
