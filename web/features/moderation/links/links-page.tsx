import type { VideoHealth } from '@reelmark/contract/video-health.ts'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Cell, Table } from '../audit/statistics-table.tsx'
import { videoHealthQuery } from '../queries.ts'
import { QueryContent } from '../query-states.tsx'
import { Statistic } from '../sanctions/user-history-sections.tsx'

const outcomeLabels: Record<VideoHealth['outcomes'][number]['outcome'], { name: string; meaning: string }> = {
  available: { name: 'Available', meaning: '' },
  missing: { name: 'Deleted', meaning: 'Gone after failed checks on three days' },
  private: { name: 'Private', meaning: 'Gone after failed checks on three days' },
  'region-blocked': { name: 'Not in this country', meaning: 'Available elsewhere' },
  'age-restricted': { name: 'Age restricted', meaning: 'Available after a login at its site' },
  'login-required': { name: 'Login required', meaning: 'For members or subscribers of its site' },
  unclear: { name: 'Unclear', meaning: 'The site asked for consent or a login, or its response was unclear' },
  down: { name: 'Site down', meaning: 'Gone after a month' },
}

const problemLabels: Record<VideoHealth['hosts'][number]['problem'], string> = {
  silent: "Doesn't respond",
  suspicious: 'Reports too many videos as gone. Its reports are ignored for two weeks.',
}

const formatCount = (count: number) => count.toLocaleString('en')

/** Shows the progress of the checks whether videos are still available. */
export function LinksPage() {
  const progress = useQuery(videoHealthQuery)
  return (
    <div>
      <QueryContent query={progress} subject="link checks">
        {(data) => <Progress data={data} />}
      </QueryContent>
    </div>
  )
}

function Progress({ data }: { data: VideoHealth }) {
  return (
    <div className="flex flex-col gap-10">
      {!data.is_on && (
        <Notice tone="info">
          <p>Link checks are turned off for this site.</p>
        </Notice>
      )}
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-5">
        <Statistic name="Videos">{formatCount(data.videos)}</Statistic>
        <Statistic name="Gone">{formatCount(data.missing)}</Statistic>
        <Statistic name="Checked today">{formatCount(data.checked_last_day)}</Statistic>
        <Statistic name="In 30 days">{formatCount(data.checked_last_month)}</Statistic>
        <Statistic name="Overdue" className="max-sm:col-span-2">
          {formatCount(data.due)}
        </Statistic>
      </dl>
      {data.counted_at !== null && (
        <p className="-mt-8 text-13 text-quiet">
          Counted <RelativeTime time={data.counted_at} />
        </p>
      )}
      <div className="grid items-start gap-x-16 gap-y-10 xl:has-[section]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {data.outcomes.length === 0 ? (
          <EmptyState title="No links checked yet" />
        ) : (
          <Table caption="Results of the last checks" columns={['Result', 'Videos', 'Meaning']}>
            {data.outcomes.map(({ outcome, videos }) => (
              <tr key={outcome} className="border-t border-line">
                <th scope="row" className="py-2.5 pr-3 text-left font-medium">
                  {outcomeLabels[outcome].name}
                </th>
                <Cell>{formatCount(videos)}</Cell>
                <td className="py-2.5 pl-3 text-quiet max-sm:hidden">{outcomeLabels[outcome].meaning}</td>
              </tr>
            ))}
          </Table>
        )}
        {data.hosts.length > 0 && (
          <section aria-labelledby="problems">
            <h2 id="problems" className="pb-2 text-16 font-semibold text-ink">
              Sites with problems
            </h2>
            <ul>
              {data.hosts.map(({ host, problem, checked_at }) => (
                <li key={host} className="border-t border-line py-2.5 text-14">
                  <p className="font-medium wrap-anywhere">{host}</p>
                  <p className="text-quiet">
                    {problemLabels[problem]}
                    {checked_at !== null && (
                      <>
                        {' · checked '}
                        <RelativeTime time={checked_at} />
                      </>
                    )}
                  </p>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  )
}
