/**
 * Following collections, channels and tags: what others save publicly in them appears in the feed
 * (docs/decisions/0056-followed-lists.md). A list that the viewer may not see is answered like one that does not exist.
 */
import * as t from 'typebox'
import { FollowStatus } from './follows.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, text, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { cursorQuery, pageOf } from './protocol/paging.ts'

export const followedListKinds = ['collection', 'channel', 'tag'] as const

/** A collection, channel or tag that the viewer follows. */
export const FollowedList = t.Object({
  id: Id,
  kind: t.Enum(followedListKinds),
  /** The name of the collection or channel, or the tag. */
  name: t.String(),
  /** The id of the collection or channel. Null for a tag. */
  container_id: nullable(Id),
  /** The name of a channel's collection; null for the others. */
  collection_name: nullable(t.String()),
  /** The owner; null for a tag. */
  user: t.Union([UserSummary, t.Null()]),
  followed_at: Time,
})
export type FollowedList = t.Static<typeof FollowedList>

const base = { group: 'follows', auth: 'user', status: 200 } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const
const unfollowErrors = ['cannot-target-self', ...ownErrors, 'not-found', 'rate-limited'] as const
const followErrors = [...unfollowErrors, 'limit-reached'] as const
const container = { ...base, method: 'POST', params: IdParams, reply: FollowStatus } as const

export const followCollection = endpoint({
  ...container,
  path: '/collections/:id/follow/',
  summary: 'Follow a collection of another user; does nothing if you already do',
  errors: followErrors,
})

export const unfollowCollection = endpoint({
  ...container,
  path: '/collections/:id/unfollow/',
  summary: 'Unfollow a collection; does nothing if you do not follow it',
  errors: unfollowErrors,
})

export const followChannel = endpoint({
  ...container,
  path: '/channels/:id/follow/',
  summary: 'Follow a channel of another user; does nothing if you already do',
  errors: followErrors,
})

export const unfollowChannel = endpoint({
  ...container,
  path: '/channels/:id/unfollow/',
  summary: 'Unfollow a channel; does nothing if you do not follow it',
  errors: unfollowErrors,
})

const TagBody = t.Object({ tag: text(limits.tagMax) }, { additionalProperties: false })
export const TagFollowStatus = t.Object({ is_followed: t.Boolean() })
export type TagFollowStatus = t.Static<typeof TagFollowStatus>

export const getTagFollowStatus = endpoint({
  ...base,
  method: 'GET',
  path: '/tags/follow-status/',
  summary: 'Get whether you follow a tag',
  query: TagBody,
  reply: TagFollowStatus,
  errors: ['invalid', ...ownErrors],
})

export const followTag = endpoint({
  ...base,
  method: 'POST',
  path: '/tags/follow/',
  summary: 'Follow a tag; does nothing if you already do',
  body: TagBody,
  reply: TagFollowStatus,
  errors: ['invalid', ...ownErrors, 'limit-reached', 'rate-limited'],
})

export const unfollowTag = endpoint({
  ...base,
  method: 'POST',
  path: '/tags/unfollow/',
  summary: 'Unfollow a tag; does nothing if you do not follow it',
  body: TagBody,
  reply: TagFollowStatus,
  errors: ['invalid', ...ownErrors, 'rate-limited'],
})

export const listFollowedLists = endpoint({
  ...base,
  method: 'GET',
  path: '/followed-lists/',
  summary: 'List the collections, channels and tags you follow, latest first',
  query: t.Object(
    {
      ...cursorQuery,
      /** Only tags, or only collections and channels. */
      kind: t.Optional(t.Enum(['container', 'tag'])),
    },
    { additionalProperties: false },
  ),
  /** Leaves out collections and channels that the viewer may no longer see. */
  reply: pageOf(FollowedList),
  errors: ['invalid', ...ownErrors, 'invalid-page'],
})
