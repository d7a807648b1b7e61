import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ownHosts } from '../../../core/video-links/entered-links.ts'
import { normaliseTags } from '../../../shared/tag-names.ts'
import { fetchThumbnailJob } from '../../../shared/thumbnails.ts'
import { currentRules, metadataParts, screenContent, uploaderPart } from '../../moderation/public-api.ts'
import { loadBookmarkReply } from '../bookmark-reply.ts'
import { sentFacts } from '../facts.ts'
import * as updates from './update-queries.ts'
import { registerThumbnailUpload } from './upload-thumbnail.ts'

export function registerBookmarkUpdates(app: FastifyInstance): void {
  const { deps } = app
  const { db, settings } = deps
  const hosts = ownHosts(settings.publicUrl)
  registerThumbnailUpload(app)

  mount(app, updateBookmark, async ({ input: { params, body }, viewer }) => {
    const { tags, embed_url, thumbnail_url, shape, duration, width, height, start_seconds, ...rest } = body
    const sent = { embed_url, thumbnail_url, shape, duration, width, height }
    const facts = sentFacts(sent, hosts)
    const metadata = {
      ...rest,
      ...facts,
      ...(tags === undefined ? {} : { tags: normaliseTags(tags) }),
      ...(start_seconds === undefined ? {} : { start_seconds: start_seconds || null }),
    }
    const rules = await currentRules(db)
    const hold_reason = screenContent(rules, [
      ...metadataParts(metadata),
      { field: 'embed_url', link: metadata.embed_url },
      uploaderPart(metadata),
    ])
    const changes = { ...metadata, ...(hold_reason === null ? {} : { hold_reason }) }
    return db.begin(async (tx) => {
      const needsThumbnail = await updates.updateBookmark(tx, viewer, params.id, changes, rules)
      if (needsThumbnail) await deps.jobs.send(tx, fetchThumbnailJob, { bookmark_id: params.id })
      return loadBookmarkReply(deps, tx, params.id, viewer)
    })
  })
}
