import {
  type ExtractedVideo,
  type Extraction,
  extractMetadata,
  previewThumbnail,
} from '@reelmark/contract/extraction.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { canonicalise, canonicalUrl } from '../../../core/video-links/canonical-url.ts'
import { findPopularTags, findUploaderDestination, storeExtraction } from '../../bookmarks/public-api.ts'
import { currentRules } from '../../moderation/public-api.ts'
import { ExtractionError, extractVideoMetadata } from './extract-metadata.ts'
import { fetchPreview } from './preview-thumbnail.ts'

export function registerExtraction(app: FastifyInstance): void {
  const { db, outbound, settings, ytDlp } = app.deps
  const ownHosts = [new URL(settings.publicUrl).hostname]
  mount(
    app,
    extractMetadata,
    async ({ input, readDb, viewer }) => {
      try {
        const found = await extractVideoMetadata(input.body.url, {
          outbound,
          ownHosts,
          ytDlp,
          popularTags: (title) => findPopularTags(readDb, title),
        })
        const rules = await currentRules(db)
        await storeExtraction(db, viewer.id, found.video, { ownHosts, rules })
        return { ...found, uploader_destination: await findDestination(readDb, viewer.id, found.video) }
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

async function findDestination(
  db: Db,
  userId: number,
  { uploader_name, source_url }: ExtractedVideo,
): Promise<Extraction['uploader_destination']> {
  if (uploader_name === null || canonicalUrl(source_url) === null) return null
  const { host } = canonicalise(source_url).identity
  return findUploaderDestination(db, userId, { uploaderName: uploader_name, host })
}
