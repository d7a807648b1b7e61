/**
 * Following people. Between two of whom one blocked the other all of this is as if there were no such person
 * (docs/decisions/0012-blocking-and-muting.md).
 */
import * as t from 'typebox'
import { endpoint } from './endpoint.ts'
import { IdParams, Person, Time } from './fields.ts'
import { CursorQuery, pageOf } from './paging.ts'

export const FollowStatus = t.Object({ is_followed: t.Boolean(), followers_count: t.Integer() })
export type FollowStatus = t.Static<typeof FollowStatus>

const ofPerson = {
  tag: 'follows',
  access: 'user',
  params: IdParams,
  status: 200,
  reply: FollowStatus,
} as const
const following = {
  ...ofPerson,
  method: 'POST',
  errors: ['yourself', 'not-signed-in', 'bad-token', 'no-scope', 'not-found', 'too-many'],
} as const

export const getFollowStatus = endpoint({
  ...ofPerson,
  method: 'GET',
  path: '/users/:id/follow-status/',
  summary: 'Whether you follow somebody',
  errors: ['not-signed-in', 'bad-token', 'no-scope', 'not-found'],
})

export const toggleFollow = endpoint({
  ...following,
  path: '/users/:id/toggle-follow/',
  summary: 'Follow somebody, or follow them no more',
})

export const followUser = endpoint({
  ...following,
  path: '/users/:id/follow/',
  summary: 'Follow somebody; nothing more where you do already',
})

export const unfollowUser = endpoint({
  ...following,
  path: '/users/:id/unfollow/',
  summary: 'Follow somebody no more; nothing where you do not',
})

/** One who follows, or is followed. */
export const FollowEntry = t.Object({
  ...Person.properties,
  followed_at: Time,
  /** By the viewer. */
  is_followed: t.Boolean(),
})
export type FollowEntry = t.Static<typeof FollowEntry>

const list = {
  method: 'GET',
  tag: 'follows',
  access: 'viewer',
  params: IdParams,
  query: CursorQuery,
  status: 200,
  /** `count` is the profile's number: it has those too who are not shown, being banned or blocked. */
  reply: pageOf(FollowEntry),
  errors: ['invalid', 'bad-token', 'no-scope', 'not-found', 'invalid-page'],
} as const

export const listFollowers = endpoint({
  ...list,
  path: '/users/:id/followers/',
  summary: 'Who follows somebody, the latest first',
})

export const listFollowing = endpoint({
  ...list,
  path: '/users/:id/following/',
  summary: 'Whom somebody follows, the latest first',
})

export const Collector = t.Object({
  ...Person.properties,
  /** By the viewer. */
  is_followed: t.Boolean(),
})
export type Collector = t.Static<typeof Collector>

export const listCollectors = endpoint({
  method: 'GET',
  path: '/videos/:id/users-bookmarked/',
  summary: 'Who keeps a video in public, the latest first; each person once',
  tag: 'follows',
  access: 'user',
  params: IdParams,
  query: CursorQuery,
  status: 200,
  /** `count` is the video's `saves_count`. */
  reply: pageOf(Collector),
  errors: ['invalid', 'not-signed-in', 'bad-token', 'no-scope', 'not-found', 'invalid-page'],
})
