/** Replacing the link of a video that is gone for everyone who saved it (docs/behaviour.md, Checks of links). */
import * as t from 'typebox'
import { Bookmark } from './bookmarks.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf } from './protocol/paging.ts'

/** Another link that a user proposes, with what its page contains. It does not name the user. */
export const LinkProposal = t.Object({
  /** The id of its report. */
  id: Id,
  source_url: t.String(),
  title: t.String(),
  /** The address of the picture at its host. Browsers show it through `POST /bookmarks/preview-thumbnail/`. */
  thumbnail_url: nullable(t.String()),
  /** In seconds. */
  duration: nullable(t.Integer()),
  uploader_name: nullable(t.String()),
  created_at: Time,
})
export type LinkProposal = t.Static<typeof LinkProposal>

export const proposeLink = endpoint({
  method: 'POST',
  path: '/bookmarks/:id/propose-link/',
  summary: 'Propose another link for everyone who saved a video that is gone',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    { source_url: t.String({ minLength: 1, maxLength: limits.urlMax }) },
    { additionalProperties: false },
  ),
  status: 201,
  reply: t.Object({
    report_id: Id,
    /**
     * True: you may decide it yourself, as a moderator or the owner of the lead bookmark, so that bookmarks are moved within some
     * minutes. False: one of them has to agree.
     */
    is_agreed: t.Boolean(),
  }),
  /** already-reported: you have an open proposal or report of this video; comes with its `report_id`. */
  errors: ['invalid', 'unauthenticated', 'not-found', 'already-reported', 'rate-limited'],
})

/** At most 20, the oldest first. Empty unless the bookmark leads a video that is gone. */
export const listLinkProposals = endpoint({
  method: 'GET',
  path: '/bookmarks/:id/link-proposals/',
  summary: 'List the links that others propose for the video that your bookmark leads',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  status: 200,
  reply: pageOf(LinkProposal),
  errors: ['unauthenticated', 'not-found'],
})

/** `id` is that of the proposal. Agreeing rejects the other proposals for the video. */
export const decideLinkProposal = endpoint({
  method: 'POST',
  path: '/link-proposals/:id/decide/',
  summary: 'Agree to or reject another link for the video that your bookmark leads',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  body: t.Object({ agrees: t.Boolean() }, { additionalProperties: false }),
  status: 200,
  reply: t.Object({ status: t.Enum(['approved', 'rejected']) }),
  /** invalid: the video is not gone any more. already-decided comes with the `status`. */
  errors: ['invalid', 'unauthenticated', 'not-found', 'already-decided', 'rate-limited'],
})

/** Possible for `limits.linkDeclineDays` days, for a bookmark whose `replaced_link` is not null. */
export const declineLink = endpoint({
  method: 'POST',
  path: '/bookmarks/:id/decline-link/',
  summary: 'Return to the link that was replaced for everyone',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  status: 200,
  /** Has another `id` if you saved the old video in the same place again: the two are merged. */
  reply: Bookmark,
  errors: ['unauthenticated', 'not-found', 'rate-limited'],
})
