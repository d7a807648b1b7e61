import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Tag } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'

export const listTags = endpoint({
  method: 'GET',
  path: '/tags/',
  summary: 'List public tags that start with a text, most used first',
  group: 'tags',
  auth: 'anyone',
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
  reply: pageOf(t.Object({ ...Tag.properties, uses_count: t.Integer() })),
  errors: ['invalid', 'invalid-page'],
})
