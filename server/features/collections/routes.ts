import { listChannels, listCollections } from '@reelmark/contract/collections.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { listChannels as readChannels, listCollections as readCollections } from './queries.ts'

export function registerCollections(app: FastifyInstance): void {
  // The primary, not a replica: what somebody just made is what they look for next.
  const { db } = app.deps

  mount(app, listCollections, async ({ input, viewer }) => {
    const { user } = input.query
    const owner = user === undefined || user === '' ? viewer : { username: user }
    if (owner === null) throw new ApiError('not-signed-in')
    const found = await readCollections(db, {
      owner: 'id' in owner ? { id: owner.id } : owner,
      me: viewer?.id ?? null,
      ...rangeOf(input.query),
    })
    return answerPage(listCollections, input, found.count, found.results)
  })

  mount(app, listChannels, async ({ input, viewer }) => {
    const found = await readChannels(db, {
      id: input.params.id,
      me: viewer?.id ?? null,
      ...rangeOf(input.query),
    })
    if (found === null) throw new ApiError('not-found')
    return answerPage(listChannels, input, found.count, found.results)
  })
}
