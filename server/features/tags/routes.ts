import { listTags } from '@reelmark/contract/tags.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { listTags as readTags } from './queries.ts'

export function registerTags(app: FastifyInstance): void {
  const { readDb } = app.deps
  mount(app, listTags, async ({ input }) => {
    const found = await readTags(readDb, {
      prefix: input.query.q ?? '',
      sfwOnly: input.query.orientation === 'sfw',
      ...rangeOf(input.query),
    })
    return answerPage(listTags, input, found.count, found.results)
  })
}
