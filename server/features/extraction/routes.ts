import { errors } from '@reelmark/contract/errors.ts'
import { extractMetadata } from '@reelmark/contract/extraction.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { storeExtraction } from '../bookmarks/extracted-facts.ts'
import { popularTagsIn } from '../tags/cards.ts'
import { ExtractionError, extract } from './extract.ts'

export function registerExtraction(app: FastifyInstance): void {
  const { db, outbound, readDb, settings } = app.deps
  const ownHosts = [new URL(settings.publicUrl).hostname]
  mount(
    app,
    extractMetadata,
    async ({ input, viewer }) => {
      try {
        const found = await extract(input.body.url, {
          outbound,
          ownHosts,
          popularTags: (title) => popularTagsIn(readDb, title),
        })
        await storeExtraction(db, viewer.id, found.video, ownHosts)
        return found
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
