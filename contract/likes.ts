/** Likes of videos. They belong to the video, not to a bookmark (docs/behaviour.md, Videos and bookmarks). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { IdParams } from './protocol/fields.ts'

export const LikeStatus = t.Object({ is_liked: t.Boolean(), likes_count: t.Integer() })
export type LikeStatus = t.Static<typeof LikeStatus>

const likeBase = { group: 'likes', auth: 'user', params: IdParams, status: 200, reply: LikeStatus } as const

export const getLikeStatus = endpoint({
  ...likeBase,
  method: 'GET',
  path: '/videos/:id/like-status/',
  summary: 'Get whether you like a video',
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'not-found'],
})

export const toggleLike = endpoint({
  ...likeBase,
  method: 'POST',
  path: '/videos/:id/like/',
  summary: 'Like a video, or remove your like',
  /** `forbidden`: the video has no public bookmark. */
  errors: [
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'forbidden',
    'not-found',
    'rate-limited',
  ],
})
