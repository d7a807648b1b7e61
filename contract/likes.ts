/** Likes belong to the video, whoever's bookmark of it is looked at (decisions.md, Words). */
import * as t from 'typebox'
import { endpoint } from './endpoint.ts'
import { IdParams } from './fields.ts'

export const LikeStatus = t.Object({ is_liked: t.Boolean(), likes_count: t.Integer() })
export type LikeStatus = t.Static<typeof LikeStatus>

const ofVideo = { tag: 'likes', access: 'user', params: IdParams, status: 200, reply: LikeStatus } as const

export const getLikeStatus = endpoint({
  ...ofVideo,
  method: 'GET',
  path: '/videos/:id/like-status/',
  summary: 'Whether you like a video',
  errors: ['not-signed-in', 'bad-token', 'no-scope', 'not-found'],
})

export const toggleLike = endpoint({
  ...ofVideo,
  method: 'POST',
  path: '/videos/:id/like/',
  summary: 'Like a video, or like it no more',
  errors: ['not-signed-in', 'bad-token', 'no-scope', 'not-found', 'too-many'],
})
