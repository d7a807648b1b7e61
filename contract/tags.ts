import * as t from 'typebox'
import { endpoint } from './endpoint.ts'
import { Tag } from './fields.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './paging.ts'

export const listTags = endpoint({
  method: 'GET',
  path: '/tags/',
  summary: 'Tags in public use that start with a text, the most used first',
  tag: 'tags',
  access: 'anyone',
  query: t.Object(
    {
      ...pageQuery,
      q: t.Optional(t.String({ maxLength: limits.tagMax })),
      /** None that only adult videos bear; which these are is counted every few minutes. */
      orientation: t.Optional(t.Literal('sfw')),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(t.Object({ ...Tag.properties, uses_count: t.Integer() })),
  errors: ['invalid', 'invalid-page'],
})
