import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { getStatistics } from '@reelmark/contract/sanctions.ts'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Filter } from '../cases/case-filters.tsx'
import { durationText, reportTypeLabels } from '../moderation-labels.ts'
import { statisticsQuery } from '../queries.ts'
import { QueryContent } from '../query-states.tsx'
import { Statistic } from '../sanctions/user-history-sections.tsx'
import { defaultDays, periods, readStatisticsSearch, type StatisticsSearch } from '../tab-search-params.ts'
import { UserLink } from '../user-link.tsx'
import { Cell, Table } from './statistics-table.tsx'

const periodLabels: Record<number, string> = {
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  366: 'Last year',
}

/** Shows statistics about reports and moderators. */
export function StatisticsPage({
  search,
  onSearch,
}: {
  search: StatisticsSearch
  onSearch: (search: StatisticsSearch) => void
}) {
  const days = search.days ?? defaultDays
  const statistics = useQuery(statisticsQuery(days))
  return (
    <div>
      <div className="mb-4 flex max-w-44">
        <Filter
          label="Time"
          value={String(days)}
          choices={periods.map((span) => [String(span), periodLabels[span] ?? ''] as const)}
          onChange={(value) => onSearch(readStatisticsSearch({ days: value }))}
        />
      </div>
      <QueryContent query={statistics} subject="statistics">
        {(data) => <StatisticsTables data={data} />}
      </QueryContent>
    </div>
  )
}

function StatisticsTables({ data }: { data: Reply<typeof getStatistics> }) {
  const formatCount = (count: number) => count.toLocaleString('en')
  return (
    <div className="flex flex-col gap-10">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-5">
        <Statistic name="Open reports">{formatCount(data.open)}</Statistic>
        <Statistic name="Open appeals">{formatCount(data.open_appeals)}</Statistic>
        <Statistic name="Decided">{formatCount(data.decided)}</Statistic>
        <Statistic name="Median time">
          {data.median_seconds === null ? '–' : durationText(data.median_seconds)}
        </Statistic>
        <Statistic name="Upheld" className="max-sm:col-span-2">
          {data.upheld_rate === null ? '–' : `${Math.round(data.upheld_rate * 100)} %`}
        </Statistic>
      </dl>
      <div className="grid items-start gap-x-16 gap-y-10 xl:has-[table+table]:grid-cols-2">
        {data.by_type.length === 0 ? (
          <EmptyState title="No reports in this period" />
        ) : (
          <Table caption="By type" columns={['Type', 'Open', 'Approved', 'Rejected', 'Upheld']}>
            {data.by_type.map(({ type, open, approved, rejected }) => (
              <tr key={type} className="border-t border-line">
                <th scope="row" className="py-2.5 pr-3 text-left font-medium">
                  {reportTypeLabels[type]}
                </th>
                <Cell>{formatCount(open)}</Cell>
                <Cell>{formatCount(approved)}</Cell>
                <Cell>{formatCount(rejected)}</Cell>
                <td className="py-2.5 pl-3 max-sm:hidden">
                  <ShareBar total={approved + rejected} count={approved} />
                </td>
              </tr>
            ))}
          </Table>
        )}
        {data.by_moderator.length > 0 && (
          <Table caption="By moderator" columns={['Moderator', 'Decided', 'Share']}>
            {data.by_moderator.map(({ moderator, decided }) => (
              <tr key={moderator.id} className="border-t border-line">
                <th scope="row" className="py-2.5 pr-3 text-left font-normal">
                  <UserLink user={moderator} fallback="" withAvatar />
                </th>
                <Cell>{formatCount(decided)}</Cell>
                <td className="py-2.5 pl-3 max-sm:hidden">
                  <ShareBar total={data.decided} count={decided} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </div>
    </div>
  )
}

/** Shows a share as a bar and a percentage. */
function ShareBar({ total, count }: { total: number; count: number }) {
  if (total === 0) return <span className="text-quiet">–</span>
  const share = Math.round((count / total) * 100)
  return (
    <span className="flex items-center gap-2">
      <svg
        aria-hidden="true"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        className="h-1.5 min-w-0 flex-1 rounded-full"
      >
        <rect width="100" height="6" className="fill-hover" />
        <rect width={share} height="6" className="fill-accent" />
      </svg>
      <span className="w-11 shrink-0 text-right tabular-nums">{share} %</span>
    </span>
  )
}
