/**
 * Muting users and tags: their content no longer appears in the viewer's Explore, searches and feed. Other users are
 * not affected, and the muted user's own pages do not change (docs/decisions/0012-blocking-and-muting.md).
 */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, text, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'

/** A mute of either a user or a tag; the other field is null. */
export const Mute = t.Object({
  id: Id,
  user: nullable(UserSummary),
  tag: nullable(t.String()),
  created_at: Time,
})
export type Mute = t.Static<typeof Mute>

const muteBase = { group: 'mutes', auth: 'user', invalidatesCache: false } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const

export const createMute = endpoint({
  ...muteBase,
  method: 'POST',
  path: '/mutes/',
  summary: 'Mute a user or a tag; returns the existing mute if there is one',
  body: t.Object(
    {
      /** Exactly one of `user_id` and `tag`. */
      user_id: t.Optional(Id),
      tag: t.Optional(text(limits.tagMax)),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Mute,
  errors: ['invalid', ...ownErrors, 'limit-reached', 'rate-limited'],
})

export const listMutes = endpoint({
  ...muteBase,
  method: 'GET',
  path: '/mutes/',
  summary: 'List your mutes, latest first',
  /** `tag` returns only the mute of that tag, to find out whether it is muted. */
  query: t.Object({ ...pageQuery, tag: t.Optional(text(limits.tagMax)) }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(Mute),
  errors: ['invalid', ...ownErrors, 'invalid-page'],
})

export const deleteMute = endpoint({
  ...muteBase,
  method: 'DELETE',
  path: '/mutes/:id/',
  summary: 'Delete a mute',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'not-found'],
})
