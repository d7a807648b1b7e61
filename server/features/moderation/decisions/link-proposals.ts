/**
 * Links that users propose for videos that are gone: reports with a link, which moderators or the owner of the lead bookmark decide
 * (docs/decisions/0090-replaced-links.md).
 */
import type { LinkProposal } from '@reelmark/contract/link-proposals.ts'
import { notesMax, titleMax } from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { isShownVideo } from '../../../shared/visibility.ts'
import { announceReport, notifyLinkProposed } from '../../notifications/public-api.ts'
import { insertReport } from '../reports/report-queries.ts'
import { approveReport, rejectReport } from './decide-report.ts'
import { proposalColumns } from './proposal-columns.ts'

/** How many proposals the owner of the lead bookmark gets at once. */
const listedMax = 20

type Dependencies = Pick<Deps, 'jobs' | 'media'>

export interface ProposedLink {
  source_url: string
  title: string
  /** What else the page of the link contains (server/features/bookmarks/facts.ts). */
  facts: object
}

/**
 * Reports a video that is gone with another link. If the viewer may decide that, the link is agreed on. Runs in a transaction of
 * `withTransaction`; the caller has checked video and link.
 * @throws ApiError('already-reported') with the open `report_id`
 */
export async function proposeLink(
  tx: Db,
  deps: Dependencies,
  viewer: Viewer,
  /** Its title is that of the lead bookmark. */
  video: { id: number; title: string },
  { source_url, title, facts }: ProposedLink,
): Promise<{ report_id: number; is_agreed: boolean }> {
  // Without a bookmark: moderators must not see a private one because its owner proposes a link.
  const target = { kind: 'video', id: video.id, video_id: video.id, snapshot: video.title } as const
  const report_id = await insertReport(
    tx,
    { ...target, bookmark_id: null, comment_id: null, user_id: null },
    {
      reporter_id: viewer.id,
      report_type: 'replace_link',
      notes: source_url.slice(0, notesMax),
      suggested_orientation: null,
      did_hide: false,
    },
  )
  await tx`
    insert into link_replacements (report_id, video_id, source_url, title, facts)
    values (${report_id}, ${video.id}, ${source_url}, ${title.slice(0, titleMax)}, ${JSON.stringify(facts)}::text::jsonb)`
  if (viewer.is_moderator || (await isDecidableBy(tx, viewer, report_id))) {
    await approve(tx, deps, viewer, report_id)
    return { report_id, is_agreed: true }
  }
  await announceReport(tx, deps.jobs, { actor_id: viewer.id, report_id })
  await notifyLinkProposed(tx, { actor_id: viewer.id, video_id: video.id })
  return { report_id, is_agreed: false }
}

/**
 * Carries out what the owner of the lead bookmark decides about a proposal. Runs in a transaction of `withTransaction`.
 * @throws ApiError('not-found') unless the viewer owns it; as `approveReport` and `rejectReport`
 */
export async function decideLinkProposal(
  tx: Db,
  deps: Dependencies,
  viewer: Viewer,
  reportId: number,
  agrees: boolean,
): Promise<{ status: 'approved' | 'rejected' }> {
  if (!(await isDecidableBy(tx, viewer, reportId))) throw new ApiError('not-found')
  if (agrees) await approve(tx, deps, viewer, reportId)
  else {
    await rejectReport(tx, deps.jobs, viewer, reportId, { statement: '', all: false })
    await forgetDecider(tx, viewer, reportId)
  }
  return { status: agrees ? 'approved' : 'rejected' }
}

async function approve(tx: Db, deps: Dependencies, viewer: Viewer, reportId: number): Promise<void> {
  const approval = { statement: '', orientation: null, sanction: 'warn', days: 0 } as const
  await approveReport(tx, deps, viewer, reportId, approval)
  await forgetDecider(tx, viewer, reportId)
}

/** What the owner of a bookmark decided is not the work of a moderator, which statistics count. The audit log names the owner. */
async function forgetDecider(tx: Db, viewer: Viewer, reportId: number): Promise<void> {
  if (viewer.is_moderator) return
  const [{ decision_id }] = await tx<[{ decision_id: number | null }]>`
    update reports set decided_by = null where id = ${reportId} returning decision_id`
  await tx`update reports set decided_by = null where decision_id = ${decision_id}`
  await tx`update moderation_decisions set moderator_id = null where id = ${decision_id}`
}

/** Returns the open proposals for the video that a bookmark of the viewer leads, the oldest first. */
export async function listLinkProposals(db: Db, viewer: Viewer, bookmarkId: number): Promise<LinkProposal[]> {
  return db<LinkProposal[]>`
    select ${proposalColumns(db)}, r.created_at
      from ${openProposals(db, viewer)} and lead.id = ${bookmarkId}
     order by r.id limit ${listedMax}`
}

async function isDecidableBy(db: Db, viewer: Viewer, reportId: number): Promise<boolean> {
  const found = await db`select from ${openProposals(db, viewer)} and r.id = ${reportId}`
  return found.count > 0
}

/**
 * Returns a `from` clause with conditions: the open proposals `l` with their reports `r` for videos whose lead bookmark is the viewer's,
 * except those of users whom a block separates from the viewer.
 */
function openProposals(db: Db, viewer: Viewer): Fragment {
  return db`reports r
    join link_replacements l on l.report_id = r.id
    join videos v on v.id = l.video_id and ${isShownVideo(db)}
    join bookmarks lead on lead.id = v.lead_bookmark_id and lead.user_id = ${viewer.id}
   where r.report_type = 'replace_link' and r.status = 'open' and not is_blocked_between(r.reporter_id, ${viewer.id})`
}
