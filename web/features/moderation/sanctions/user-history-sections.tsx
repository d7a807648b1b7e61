import type { Decision } from '@reelmark/contract/decisions.ts'
import type { UserHistory } from '@reelmark/contract/sanctions.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { decisionActionLabels, reportTypeLabels, targetKindLabels } from '../moderation-labels.ts'
import { UserLink } from '../user-link.tsx'

const formatCount = (count: number) => count.toLocaleString('en')

/** Shows counts of a user's activity. */
export function UserStatistics({ history }: { history: UserHistory }) {
  const { reports_made: reportsMade, reports_received: reportsReceived } = history
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-4">
      <Statistic name="Public bookmarks">{formatCount(history.bookmarks_count)}</Statistic>
      <Statistic name="Comments">{formatCount(history.comments_count)}</Statistic>
      <Statistic
        name="Reports made"
        more={`${reportsMade.approved} upheld, ${reportsMade.rejected} rejected`}
      >
        {formatCount(reportsMade.open + reportsMade.approved + reportsMade.rejected)}
      </Statistic>
      <Statistic
        name="Reports received"
        more={`${reportsReceived.approved} upheld, ${reportsReceived.open} open`}
      >
        {formatCount(reportsReceived.open + reportsReceived.approved + reportsReceived.rejected)}
      </Statistic>
    </dl>
  )
}

export function Statistic({
  name,
  more,
  className = '',
  children,
}: {
  name: string
  more?: string
  className?: string
  children: ReactNode
}) {
  return (
    <div className={`flex flex-col bg-raised px-4 py-3 ${className}`}>
      <dt className="text-13 text-quiet">{name}</dt>
      <dd className="mt-1 text-20 font-semibold text-ink tabular-nums">{children}</dd>
      {more !== undefined && <dd className="text-12 text-quiet tabular-nums">{more}</dd>}
    </div>
  )
}

/** The whole row is the target. */
const historyLinkClass =
  'line-clamp-3 text-ink underline-offset-4 after:absolute after:inset-0 hover:underline'

/** The latest public bookmarks and comments. */
export function RecentActivity({ history }: { history: UserHistory }) {
  return (
    <div className="grid items-start gap-x-10 gap-y-8 sm:grid-cols-2">
      <HistorySection
        title="Latest bookmarks"
        isEmpty={history.recent_bookmarks.length === 0}
        empty="No public bookmarks."
      >
        {history.recent_bookmarks.map(({ id, title, created_at }) => (
          <HistoryItem key={id} time={created_at}>
            <Link to="/bookmarks/$id" params={{ id: String(id) }} className={historyLinkClass}>
              {title || 'Untitled Bookmark'}
            </Link>
          </HistoryItem>
        ))}
      </HistorySection>
      <HistorySection title="Latest comments" isEmpty={history.recent_comments.length === 0} empty="None.">
        {history.recent_comments.map(({ id, bookmark_id, content, created_at }) => (
          <HistoryItem key={id} time={created_at}>
            <Link
              to="/bookmarks/$id"
              params={{ id: String(bookmark_id) }}
              search={{ comment: id } as never}
              className={historyLinkClass}
            >
              {content}
            </Link>
          </HistoryItem>
        ))}
      </HistorySection>
    </div>
  )
}

function HistorySection({
  title,
  isEmpty,
  empty,
  children,
}: {
  title: string
  isEmpty: boolean
  empty: string
  children: ReactNode
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="text-14 font-semibold text-ink">{title}</h3>
      {isEmpty ? (
        <p className="mt-1 text-14 text-quiet">{empty}</p>
      ) : (
        <ul className="mt-1 divide-y divide-line">{children}</ul>
      )}
    </section>
  )
}

function HistoryItem({ time, children }: { time: string; children: ReactNode }) {
  return (
    <li className="relative flex items-baseline gap-3 py-2 text-14 pointer-coarse:py-3">
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      <span className="shrink-0 text-12 text-quiet">
        <RelativeTime time={time} />
      </span>
    </li>
  )
}

/** Lists earlier decisions, latest first. Removed content can be restored here. */
export function PreviousDecisions({
  decisions,
  showTarget = false,
  busy,
  onRestore,
}: {
  decisions: readonly Decision[]
  /** Whether each decision names its target, because they have different ones. */
  showTarget?: boolean
  busy: boolean
  onRestore: (decision: Decision) => void
}) {
  return (
    <HistorySection title="Previous decisions" isEmpty={decisions.length === 0} empty="None.">
      {decisions.map((decision) => (
        <li key={decision.id} className="flex flex-col gap-1 py-2.5 text-14">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium text-ink">{decisionActionLabels[decision.action]}</span>
            {decision.reason !== null && <Badge>{reportTypeLabels[decision.reason]}</Badge>}
            {decision.undone_at !== null && <Badge tone="success">Reversed</Badge>}
            <span className="ml-auto text-12 text-quiet">
              <RelativeTime time={decision.created_at} />
            </span>
          </p>
          {showTarget && decision.target_kind !== 'user' && (
            <p className="line-clamp-2 wrap-anywhere text-quiet">
              {targetKindLabels[decision.target_kind]}: {decision.title}
            </p>
          )}
          <p className="text-13 text-quiet">
            by <UserLink user={decision.moderator} fallback="the site" />
            {decision.until !== null && `, until ${new Date(decision.until).toLocaleString()}`}
          </p>
          {decision.statement !== '' && (
            <p className="wrap-anywhere whitespace-pre-line text-ink">“{decision.statement}”</p>
          )}
          {decision.can_restore && (
            <Button size="sm" className="self-start" disabled={busy} onClick={() => onRestore(decision)}>
              Restore
              <span className="sr-only"> {decision.title}</span>
            </Button>
          )}
        </li>
      ))}
    </HistorySection>
  )
}
