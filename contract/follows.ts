/**
 * Following people. Between two of whom one blocked the other all of this is as if there were no such person
 * (docs/decisions/0012-blocking-and-muting.md).
 */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { IdParams, Time, UserSummary } from './protocol/fields.ts'
import { CursorQuery, pageOf } from './protocol/paging.ts'

export const FollowStatus = t.Object({ is_followed: t.Boolean(), followers_count: t.Integer() })
export type FollowStatus = t.Static<typeof FollowStatus>

const followBase = {
  group: 'follows',
  auth: 'user',
  params: IdParams,
  status: 200,
  reply: FollowStatus,
} as const
const followActionBase = {
  ...followBase,
  method: 'POST',
  errors: [
    'cannot-target-self',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'not-found',
    'rate-limited',
  ],
} as const

export const getFollowStatus = endpoint({
  ...followBase,
  method: 'GET',
  path: '/users/:id/follow-status/',
  summary: 'Whether you follow somebody',
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'not-found'],
})

export const toggleFollow = endpoint({
  ...followActionBase,
  path: '/users/:id/toggle-follow/',
  summary: 'Follow somebody, or follow them no more',
})

export const followUser = endpoint({
  ...followActionBase,
  path: '/users/:id/follow/',
  summary: 'Follow somebody; nothing more where you do already',
})

export const unfollowUser = endpoint({
  ...followActionBase,
  path: '/users/:id/unfollow/',
  summary: 'Follow somebody no more; nothing where you do not',
})

/** One who follows, or is followed. */
export const FollowEntry = t.Object({
  ...UserSummary.properties,
  followed_at: Time,
  /** By the viewer. */
  is_followed: t.Boolean(),
})
export type FollowEntry = t.Static<typeof FollowEntry>

const followListBase = {
  method: 'GET',
  group: 'follows',
  auth: 'viewer',
  params: IdParams,
  query: CursorQuery,
  status: 200,
  /** `count` is the profile's number: it has those too who are not shown, being banned or blocked. */
  reply: pageOf(FollowEntry),
  errors: ['invalid', 'invalid-token', 'insufficient-scope', 'not-found', 'invalid-page'],
} as const

export const listFollowers = endpoint({
  ...followListBase,
  path: '/users/:id/followers/',
  summary: 'Who follows somebody, the latest first',
})

export const listFollowing = endpoint({
  ...followListBase,
  path: '/users/:id/following/',
  summary: 'Whom somebody follows, the latest first',
})

export const Collector = t.Object({
  ...UserSummary.properties,
  /** By the viewer. */
  is_followed: t.Boolean(),
})
export type Collector = t.Static<typeof Collector>

export const listCollectors = endpoint({
  method: 'GET',
  path: '/videos/:id/users-bookmarked/',
  summary: 'Who keeps a video in public, the latest first; each person once',
  group: 'follows',
  auth: 'user',
  params: IdParams,
  query: CursorQuery,
  status: 200,
  /** `count` is the video's `saves_count`. */
  reply: pageOf(Collector),
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'not-found', 'invalid-page'],
})
