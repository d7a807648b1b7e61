import type { Comment } from '@reelmark/contract/comments.ts'

/** Somebody, by their name. */
export function aPerson(username: string) {
  return { id: 1, username, avatar_url: '/media/default.jpg', is_verified: false }
}

/** A comment, or a reply, for tests. */
export function aComment(
  id: number,
  username: string,
  content: string,
  more: Partial<Comment> = {},
): Comment {
  return {
    id,
    content,
    user: aPerson(username),
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: '2026-01-02T03:04:05.000Z',
    replies_count: 0,
    is_author_of_bookmark: false,
    ...more,
  }
}
