import { extractMetadata, previewThumbnail } from '@reelmark/contract/extraction.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { findPopularTags, storeExtraction } from '../../bookmarks/public-api.ts'
import { ExtractionError, extractVideoMetadata } from './extract-metadata.ts'
import { fetchPreview } from './preview-thumbnail.ts'

export function registerExtraction(app: FastifyInstance): void {
  const { db, outbound, settings } = app.deps
  const ownHosts = [new URL(settings.publicUrl).hostname]
  mount(
    app,
    extractMetadata,
    async ({ input, readDb, viewer }) => {
      try {
        const found = await extractVideoMetadata(input.body.url, {
          outbound,
          ownHosts,
          popularTags: (title) => findPopularTags(readDb, title),
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
  mount(app, previewThumbnail, ({ input }) => fetchPreview(app.deps, input.body.url), {
    limit: 'preview-thumbnail',
  })
}
