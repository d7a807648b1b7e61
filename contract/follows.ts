/**
 * Following users. If either of two users blocked the other, each gets the same errors as for a user who does not exist
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
  summary: 'Get whether you follow a user',
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'not-found'],
})

export const toggleFollow = endpoint({
  ...followActionBase,
  path: '/users/:id/toggle-follow/',
  summary: 'Follow a user, or unfollow if you already do',
})

export const followUser = endpoint({
  ...followActionBase,
  path: '/users/:id/follow/',
  summary: 'Follow a user; does nothing if you already do',
})

export const unfollowUser = endpoint({
  ...followActionBase,
  path: '/users/:id/unfollow/',
  summary: 'Unfollow a user; does nothing if you do not follow them',
})

/** A follower, or a followed user. */
export const FollowEntry = t.Object({
  ...UserSummary.properties,
  followed_at: Time,
  /** Whether the viewer follows this user. */
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
  /** `count` is the number on the profile, which includes banned and blocked users that the list omits. */
  reply: pageOf(FollowEntry),
  errors: ['invalid', 'invalid-token', 'insufficient-scope', 'not-found', 'invalid-page'],
} as const

export const listFollowers = endpoint({
  ...followListBase,
  path: '/users/:id/followers/',
  summary: 'List the followers of a user, latest first',
})

export const listFollowing = endpoint({
  ...followListBase,
  path: '/users/:id/following/',
  summary: 'List the users a user follows, latest first',
})

export const Collector = t.Object({
  ...UserSummary.properties,
  /** Whether the viewer follows this user. */
  is_followed: t.Boolean(),
})
export type Collector = t.Static<typeof Collector>

export const listCollectors = endpoint({
  method: 'GET',
  path: '/videos/:id/users-bookmarked/',
  summary: 'List the users who saved a video publicly, latest first, each once',
  group: 'follows',
  auth: 'user',
  params: IdParams,
  query: CursorQuery,
  status: 200,
  /** `count` is the video's `saves_count`. */
  reply: pageOf(Collector),
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'not-found', 'invalid-page'],
})
