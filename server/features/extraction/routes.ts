import { errors } from '@reelmark/contract/errors.ts'
import { extractMetadata } from '@reelmark/contract/extraction.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { popularTagsIn } from '../tags/cards.ts'
import { ExtractionError, extract } from './extract.ts'

/** Each one makes us ask other sites for somebody. */

export function registerExtraction(app: FastifyInstance): void {
  const { outbound, readDb, settings } = app.deps
  const ownHosts = [new URL(settings.publicUrl).hostname]
  mount(
    app,
    extractMetadata,
    async ({ input }) => {
      try {
        return await extract(input.body.url, {
          outbound,
          ownHosts,
          popularTags: (title) => popularTagsIn(readDb, title),
        })
      } catch (error) {
        if (!(error instanceof ExtractionError)) throw error
        throw new ApiError('extraction-failed', {
          error: errors['extraction-failed'][1],
          detail: error.message,
        })
      }
    },
    { limit: 'extract' },
  )
}
