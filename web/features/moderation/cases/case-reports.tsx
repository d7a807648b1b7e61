import type { Report } from '@reelmark/contract/cases.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { ProposedLink } from '../../bookmarks/public-api.ts'
import { reportStatusLabels, reportTypeLabels, severeReportTypes } from '../moderation-labels.ts'
import { UserLink } from '../user-link.tsx'

interface ReportsProps {
  reports: readonly Report[]
  /** Null if no report can be rejected on its own: it is the only one, or nothing can be decided now. */
  onReject: ((id: number) => void) | null
  /** Uses a proposed link. Null if nothing can be decided now. */
  onReplaceLink: ((id: number) => void) | null
  orientation: Orientation
}

/** Lists the reports of a case, latest first, each with how often its reporter's earlier reports were upheld. */
export function CaseReports({ reports, onReject, onReplaceLink, orientation }: ReportsProps) {
  return (
    <section aria-label="Reports">
      <h3 className="text-14 font-semibold text-ink">
        Reports <span className="font-normal text-quiet tabular-nums">{reports.length}</span>
      </h3>
      <ul className="mt-1 divide-y divide-line">
        {reports.map((report) => (
          <li key={report.id} className="flex flex-col gap-1 py-3 text-14">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Badge tone={severeReportTypes.includes(report.report_type) ? 'danger' : 'quiet'}>
                {reportTypeLabels[report.report_type]}
              </Badge>
              {report.status !== 'open' && (
                <Badge tone={report.status === 'approved' ? 'success' : 'quiet'}>
                  {reportStatusLabels[report.status]}
                </Badge>
              )}
              {report.did_hide && <span className="text-12 text-quiet">hidden by this report</span>}
              <span className="ml-auto text-12 text-quiet">
                <RelativeTime time={report.created_at} />
              </span>
            </p>
            {report.is_held && (
              <p className="wrap-anywhere text-ink">
                Bookmark “{report.snapshot}” by <UserLink user={report.user} fallback="someone" />
              </p>
            )}
            {report.collection !== null && <ReportedCollection collection={report.collection} />}
            {report.orientation !== null && (
              <p className="text-ink">Suggests {orientationLabels[report.orientation]}.</p>
            )}
            {report.proposal !== null && (
              <ProposedLink proposal={report.proposal} orientation={orientation} />
            )}
            {report.proposal !== null && report.status === 'open' && onReplaceLink !== null && (
              <Button size="sm" className="self-start" onClick={() => onReplaceLink(report.id)}>
                Use this link
              </Button>
            )}
            {report.notes !== '' && report.proposal === null && (
              <p className="wrap-anywhere whitespace-pre-line text-ink">{report.notes}</p>
            )}
            <p className="flex flex-wrap items-center gap-x-2 text-13 text-quiet">
              <UserLink user={report.reporter} fallback="Reelmark" withAvatar />
              {report.reporter !== null && <span>{standingText(report)}</span>}
              {report.status === 'open' && onReject !== null && (
                <Button
                  tone="quiet"
                  size="sm"
                  className="ml-auto"
                  aria-label={`Reject the report by ${report.reporter?.username ?? 'the site'}`}
                  onClick={() => onReject(report.id)}
                >
                  Reject
                </Button>
              )}
            </p>
            {report.decided_by !== null && report.decided_at !== null && (
              <p className="text-13 text-quiet">
                {reportStatusLabels[report.status]} by{' '}
                <UserLink user={report.decided_by} fallback="the site" />{' '}
                <RelativeTime time={report.decided_at} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function standingText({ reporter_standing: { approved, rejected } }: Report): string {
  const decided = approved + rejected
  return decided === 0 ? 'first report' : `${approved} of ${decided} reports upheld`
}

/** The reported collection as its secret link shows it. Moderators cannot open the page of a private collection. */
function ReportedCollection({ collection }: { collection: NonNullable<Report['collection']> }) {
  const { name, description, bookmarks } = collection
  return (
    <div className="flex flex-col gap-1 wrap-anywhere text-ink">
      <p>
        Collection “{name}”, seen by its secret link
        {bookmarks.length === 0 && '. The link shows no bookmarks now'}.
      </p>
      {description !== '' && <p className="whitespace-pre-line text-quiet">{description}</p>}
      {bookmarks.length > 0 && (
        <ul aria-label={`Newest bookmarks of “${name}”`} className="list-disc pl-5">
          {bookmarks.map(({ id, title, source_url }) => (
            <li key={id}>
              <a
                href={source_url}
                target="_blank"
                rel="noopener noreferrer nofollow"
                className="inline-block min-h-6 text-accent-ink underline underline-offset-2"
              >
                {title || 'Untitled Bookmark'}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
