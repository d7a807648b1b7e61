import * as proposals from '@reelmark/contract/link-proposals.ts'
import { replaceLink } from '@reelmark/contract/video-health.ts'
import type { FastifyInstance } from 'fastify'
import { withTransaction } from '../../../core/database/transaction.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { hidingFailures } from '../../../core/outbound/hide-failure-duration.ts'
import type { Outbound } from '../../../core/outbound/outbound.ts'
import { ownHosts } from '../../../core/video-links/entered-links.ts'
import * as bookmarks from '../../bookmarks/public-api.ts'
import * as moderation from '../../moderation/public-api.ts'
import { ExtractionError, extractVideoMetadata } from '../extraction/extract-metadata.ts'
import { checkVideo } from '../health/check-video.ts'
import { isFailure } from '../health/outcome.ts'

export function registerReplaceLink(app: FastifyInstance): void {
  const { deps } = app
  const { db, jobs, settings } = deps
  const hosts = ownHosts(settings.publicUrl)

  mount(
    app,
    replaceLink,
    async ({ input: { params, body }, viewer }) => {
      await bookmarks.requireMissing(db, viewer, params.id)
      const found = await requireAvailable(deps.outbound, body.source_url, hosts)
      const id = await withTransaction(db, async (tx) =>
        bookmarks.replaceLink(
          tx,
          { jobs, rules: await moderation.currentRules(db, tx) },
          viewer,
          params.id,
          found,
        ),
      )
      return bookmarks.loadBookmarkReply(deps, db, id, viewer)
    },
    { limit: 'extract' },
  )

  mount(
    app,
    proposals.proposeLink,
    async ({ input: { params, body }, viewer }) => {
      await bookmarks.requireReplaceable(db, viewer, params.id)
      const found = await requireAvailable(deps.outbound, body.source_url, hosts)
      return withTransaction(db, async (tx) => {
        const video = await bookmarks.requireReplaceable(tx, viewer, params.id)
        await bookmarks.requireUsable(tx, await moderation.currentRules(db, tx), video, found)
        const { link: source_url, title, facts } = found
        return moderation.proposeLink(tx, deps, viewer, video, { source_url, title, facts })
      })
    },
    { limit: 'propose-link' },
  )

  mount(app, proposals.listLinkProposals, async ({ input: { params }, viewer }) => {
    const own = await bookmarks.readBookmark(db, params.id, viewer)
    if (!own?.is_owner) throw new ApiError('not-found')
    const results = own.video.is_missing ? await moderation.listLinkProposals(db, viewer, params.id) : []
    return { count: results.length, next: null, previous: null, results }
  })

  mount(app, proposals.decideLinkProposal, ({ input: { params, body }, viewer }) =>
    withTransaction(db, (tx) => moderation.decideLinkProposal(tx, deps, viewer, params.id, body.agrees)),
  )

  mount(app, proposals.declineLink, async ({ input: { params }, viewer }) => {
    const id = await withTransaction(db, (tx) => bookmarks.declineLink(tx, viewer, params.id))
    return bookmarks.loadBookmarkReply(deps, db, id, viewer)
  })
}

/**
 * Requests a link as for a new bookmark, and asks its host whether the video is there.
 * @throws InvalidFields if it is not, or the link leads to no video
 */
async function requireAvailable(
  outbound: Pick<Outbound, 'get'>,
  link: string,
  hosts: readonly string[],
): Promise<bookmarks.FoundLink> {
  const video = await extract(outbound, link, hosts)
  const outcome = await checkVideo(hidingFailures(outbound), video.source_url)
  if (isFailure(outcome)) throw bookmarks.linkError("This video isn't available, either.")
  if (outcome === 'down') throw bookmarks.linkError("The site of this link doesn't respond. Try again later.")
  const facts = bookmarks.extractedFacts(video, hosts)
  if (facts === null) throw bookmarks.linkError("The player of this page can't be used.")
  return { link: video.source_url, title: video.title, facts }
}

async function extract(outbound: Pick<Outbound, 'get'>, link: string, hosts: readonly string[]) {
  try {
    return (await extractVideoMetadata(link, { outbound, ownHosts: hosts })).video
  } catch (error) {
    if (error instanceof ExtractionError) throw bookmarks.linkError(error.message)
    throw error
  }
}
