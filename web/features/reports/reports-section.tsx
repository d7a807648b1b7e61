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
          How moderation works here, and how much of it there is, stands on{' '}
          <Link to="/transparency" className="text-accent-ink underline underline-offset-2">
            a page for everybody
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
      title="Decisions about you and yours"
      lead="Where you think a moderator was wrong you can appeal, once. Somebody else decides then, where there is somebody else."
    >
      <Listed
        what="Decisions"
        list={list}
        shown={decisions?.map((decision) => <DecisionItem key={decision.id} decision={decision} />)}
        nothing="Nothing was decided about you or what is yours."
      />
    </Group>
  )
}

const icons = { video: SquarePlay, comment: MessageSquareText, user: UserRound }

function Reports() {
  const list = useInfiniteQuery(ownReportsQuery)
  const reports = list.data?.pages.flatMap(({ results }) => results)
  return (
    <Group title="Your reports" lead="Whoever it concerns is not told that it was you.">
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
        nothing="You reported nothing. Where something is wrong with a video, a comment or a person, Report is beside it."
      />
    </Group>
  )
}

function Status({ report: { status } }: { report: OwnReport }) {
  if (status === 'open') return <Badge tone="accent">Waiting for a moderator</Badge>
  if (status === 'approved') return <Badge tone="success">Acted on</Badge>
  return <Badge>Nothing had to be done</Badge>
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
    if (list.isError) return <LoadFailed what={what} onRetry={() => void list.refetch()} />
    return <RowsSkeleton label={`Loading ${what.toLowerCase()}`} />
  }
  if (shown.length === 0) return <NothingYet>{nothing}</NothingYet>
  return (
    <>
      <Rows label={what}>{shown}</Rows>
      <LoadMore list={list} failed={(retry) => <LoadFailed what="The rest" onRetry={retry} />} />
    </>
  )
}
