import type { OwnReport } from '@reelmark/contract/reports.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Flag from 'lucide-react/icons/flag'
import MessageSquareText from 'lucide-react/icons/message-square-text'
import SquarePlay from 'lucide-react/icons/square-play'
import UserRound from 'lucide-react/icons/user-round'
import type { ReactNode } from 'react'
import {
  SettingsEmpty,
  SettingsGroup,
  SettingsLoadFailed,
  SettingsPanel,
  SettingsRow,
  SettingsRows,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { DecisionItem } from '../decisions/decision-item.tsx'
import { ownDecisionsQuery, ownReportsQuery } from './queries.ts'
import { reportLabels } from './report-labels.ts'

/** Shows the viewer's reports with their outcome, and decisions about their content with appeals. */
export function ReportsSettingsPanel() {
  return (
    <SettingsPanel
      title="Reports and decisions"
      lead={
        <>
          Learn how moderation works in our{' '}
          <Link to="/transparency" className="text-accent-ink underline underline-offset-2">
            transparency report
          </Link>
          .
        </>
      }
    >
      <OwnDecisions />
      <OwnReports />
    </SettingsPanel>
  )
}

function OwnDecisions() {
  const list = useInfiniteQuery(ownDecisionsQuery)
  const decisions = list.data?.pages.flatMap(({ results }) => results)
  return (
    <SettingsGroup
      title="Decisions about your content"
      lead="You can appeal each decision once. A different moderator reviews appeals when possible."
    >
      <PanelList
        label="Decisions"
        list={list}
        items={decisions?.map((decision) => <DecisionItem key={decision.id} decision={decision} />)}
        emptyText="No decisions yet."
      />
    </SettingsGroup>
  )
}

const targetIcons = { video: SquarePlay, comment: MessageSquareText, user: UserRound }

function OwnReports() {
  const list = useInfiniteQuery(ownReportsQuery)
  const reports = list.data?.pages.flatMap(({ results }) => results)
  return (
    <SettingsGroup title="Your reports" lead="Your reports are anonymous.">
      <PanelList
        label="Your reports"
        list={list}
        items={reports?.map((report) => {
          const Icon = targetIcons[report.target_kind] ?? Flag
          return (
            <SettingsRow
              key={report.id}
              icon={<Icon className="size-5" />}
              title={report.snapshot || 'Untitled'}
              badge={<ReportStatusBadge report={report} />}
              facts={
                <>
                  <span>{reportLabels[report.report_type]}</span>
                  <span>
                    Reported <RelativeTime time={report.created_at} />
                  </span>
                </>
              }
            />
          )
        })}
        emptyText="No reports yet. To report a video, comment or user, choose Report next to it."
      />
    </SettingsGroup>
  )
}

function ReportStatusBadge({ report: { status } }: { report: OwnReport }) {
  if (status === 'open') return <Badge tone="accent">In review</Badge>
  if (status === 'approved') return <Badge tone="success">Action taken</Badge>
  return <Badge>No violation found</Badge>
}

interface PanelListProps {
  label: string
  list: {
    isError: boolean
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    refetch: () => Promise<unknown>
    fetchNextPage: () => Promise<unknown>
  }
  items: ReactNode[] | undefined
  emptyText: string
}

function PanelList({ label, list, items, emptyText }: PanelListProps) {
  if (items === undefined) {
    if (list.isError)
      return <SettingsLoadFailed subject={label.toLowerCase()} onRetry={() => void list.refetch()} />
    return <SettingsRowsSkeleton label={`Loading ${label.toLowerCase()}`} />
  }
  if (items.length === 0) return <SettingsEmpty>{emptyText}</SettingsEmpty>
  return (
    <>
      <SettingsRows label={label}>{items}</SettingsRows>
      <LoadMore list={list} failed={(retry) => <SettingsLoadFailed subject="the rest" onRetry={retry} />} />
    </>
  )
}
