/**
 * Muting people and tags: what is theirs does not come up in Explore, searches and the feed any more. Nobody else
 * notices, and their own pages stay as they are (docs/decisions/0012-blocking-and-muting.md).
 */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, text, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'

/** Of a person or of a tag: one of the two is null. */
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
  summary: 'Mute a person or a tag; answers the mute that is there where you did already',
  body: t.Object(
    {
      /** One of the two. */
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
  summary: 'Whom and what you muted, the latest first',
  /** `tag`: only of that one, to learn whether it is muted. */
  query: t.Object({ ...pageQuery, tag: t.Optional(text(limits.tagMax)) }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(Mute),
  errors: ['invalid', ...ownErrors, 'invalid-page'],
})

export const deleteMute = endpoint({
  ...muteBase,
  method: 'DELETE',
  path: '/mutes/:id/',
  summary: 'Mute them no more',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'not-found'],
})
