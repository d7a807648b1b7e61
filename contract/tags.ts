import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Tag, Time, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf, pageQuery } from './protocol/paging.ts'

export const listTags = endpoint({
  method: 'GET',
  path: '/tags/',
  summary: 'List public tags that start with a text, most used first',
  group: 'tags',
  auth: 'viewer',
  query: t.Object(
    {
      ...pageQuery,
      q: t.Optional(t.String({ maxLength: limits.tagMax })),
      /** Leaves out tags used on adult videos only. That set is updated every few minutes. */
      orientation: t.Optional(t.Literal('sfw')),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: t.Object({
    ...pageOf(t.Object({ ...Tag.properties, uses_count: t.Integer() })).properties,
    /** With `q`, up to 10 tags of the viewer's private bookmarks that no public one has. Not for visitors. */
    own: t.Optional(t.Array(t.String())),
  }),
  errors: ['invalid', 'invalid-page'],
})

export const OwnTag = t.Object({
  name: t.String(),
  /** The viewer's bookmarks with this tag, private ones included, those in the trash not. */
  bookmarks_count: t.Integer(),
})
export type OwnTag = t.Static<typeof OwnTag>

export const ownTagOrders = ['name', 'most_used'] as const

export const listOwnTags = endpoint({
  method: 'GET',
  path: '/tags/own/',
  summary: 'List the tags of your bookmarks, private ones included',
  group: 'tags',
  auth: 'user',
  query: t.Object(
    {
      ...pageQuery,
      /** Only tags that contain this text. */
      q: t.Optional(t.String({ maxLength: limits.tagMax })),
      sort: t.Optional(t.Enum(ownTagOrders, { default: 'name' })),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(OwnTag),
  errors: ['invalid', 'invalid-page'],
})

export const TagChange = t.Object({
  id: Id,
  tags: t.Array(t.String()),
  /** The tag that replaces them; null: they are deleted. */
  replacement: nullable(t.String()),
  /** Many bookmarks are changed by a job: `running`, or `undoing` if it restores their tags. */
  state: t.Enum(['running', 'done', 'undoing', 'undone']),
  /** The bookmarks that had one of the tags, without those in the trash, which are changed too. */
  bookmarks_count: t.Integer(),
  /** How many of them the job has finished so far. */
  finished_count: t.Integer(),
  created_at: Time,
})
export type TagChange = t.Static<typeof TagChange>

export const changeTags = endpoint({
  method: 'POST',
  path: '/tags/changes/',
  summary: 'Replace tags by one tag on all of your bookmarks, or delete them',
  group: 'tags',
  auth: 'user',
  body: t.Object(
    {
      tags: t.Array(text(limits.tagMax), { minItems: 1, maxItems: limits.tagChangeMax }),
      /** A new name, or another tag, into which they are merged. Null deletes them. */
      replacement: nullable(text(limits.tagMax)),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: TagChange,
  /** invalid: also if no bookmark has one of the tags. */
  errors: ['invalid', 'idempotency-key-in-use', 'idempotency-key-reused', 'rate-limited'],
  idempotent: true,
})

export const listTagChanges = endpoint({
  method: 'GET',
  path: '/tags/changes/',
  summary: 'List your changes of tags of the last 7 days, latest first',
  group: 'tags',
  auth: 'user',
  query: PageQuery,
  status: 200,
  reply: pageOf(TagChange),
  errors: ['invalid', 'invalid-page'],
})

export const undoTagChange = endpoint({
  method: 'POST',
  path: '/tags/changes/:id/undo/',
  summary:
    'Restore the tags of the bookmarks that a change of yours changed, except where you changed them since',
  group: 'tags',
  auth: 'user',
  params: IdParams,
  status: 200,
  /** Undoing a change again has no effect. */
  reply: TagChange,
  errors: ['invalid', 'not-found', 'rate-limited'],
})
