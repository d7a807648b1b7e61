import type { OwnReport } from '@reelmark/contract/reports.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Flag, MessageSquareText, SquarePlay, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/chip.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Group, LoadFailed, NothingYet, Row, Rows, RowsSkeleton, Section } from '../settings/section.tsx'
import { DecisionItem } from './decision-item.tsx'
import { ownDecisionsQuery, ownReportsQuery } from './queries.ts'
import { reportLabels } from './report-words.ts'

/** What one reported and what became of it; what was decided about one's own, and appeals against it. */
export function ReportsSection() {
  return (
    <Section
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
      <Decisions />
      <Reports />
    </Section>
  )
}

function Decisions() {
  const list = useInfiniteQuery(ownDecisionsQuery)
  const decisions = list.data?.pages.flatMap(({ results }) => results)
  return (
    <Group
      title="Decisions about your content"
      lead="You can appeal each decision once. A different moderator reviews appeals when possible."
    >
      <Listed
        what="Decisions"
        list={list}
        shown={decisions?.map((decision) => <DecisionItem key={decision.id} decision={decision} />)}
        nothing="No decisions yet."
      />
    </Group>
  )
}

const icons = { video: SquarePlay, comment: MessageSquareText, user: UserRound }

function Reports() {
  const list = useInfiniteQuery(ownReportsQuery)
  const reports = list.data?.pages.flatMap(({ results }) => results)
  return (
    <Group title="Your reports" lead="Your reports are anonymous.">
      <Listed
        what="Your reports"
        list={list}
        shown={reports?.map((report) => {
          const Icon = icons[report.target_kind] ?? Flag
          return (
            <Row
              key={report.id}
              icon={<Icon className="size-5" strokeWidth={1.75} />}
              title={report.snapshot || 'Untitled'}
              badge={<Status report={report} />}
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
        nothing="No reports yet. To report a video, comment or user, choose Report next to it."
      />
    </Group>
  )
}

function Status({ report: { status } }: { report: OwnReport }) {
  if (status === 'open') return <Badge tone="accent">In review</Badge>
  if (status === 'approved') return <Badge tone="success">Action taken</Badge>
  return <Badge>No violation found</Badge>
}

interface ListedProps {
  what: string
  list: {
    isError: boolean
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    refetch: () => Promise<unknown>
    fetchNextPage: () => Promise<unknown>
  }
  shown: ReactNode[] | undefined
  nothing: string
}

function Listed({ what, list, shown, nothing }: ListedProps) {
  if (shown === undefined) {
    if (list.isError) return <LoadFailed what={what.toLowerCase()} onRetry={() => void list.refetch()} />
    return <RowsSkeleton label={`Loading ${what.toLowerCase()}`} />
  }
  if (shown.length === 0) return <NothingYet>{nothing}</NothingYet>
  return (
    <>
      <Rows label={what}>{shown}</Rows>
      <LoadMore list={list} failed={(retry) => <LoadFailed what="the rest" onRetry={retry} />} />
    </>
  )
}
