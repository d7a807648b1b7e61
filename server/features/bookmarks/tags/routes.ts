import { listTags } from '@reelmark/contract/tags.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { listTags as readTags } from './queries.ts'

export function registerTags(app: FastifyInstance): void {
  const { readDb } = app.deps
  mount(app, listTags, async ({ input }) => {
    const found = await readTags(readDb, {
      prefix: input.query.q ?? '',
      sfwOnly: input.query.orientation === 'sfw',
      ...offsetOf(input.query),
    })
    return pageReply(listTags, input, found.count, found.results)
  })
}
