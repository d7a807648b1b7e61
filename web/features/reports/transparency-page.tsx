import type { Reply } from '@reelmark/contract/endpoint.ts'
import { limits } from '@reelmark/contract/limits.ts'
import type { getModerationCounts } from '@reelmark/contract/sanctions.ts'
import { Link } from '@tanstack/react-router'
import { TextPage, TextSection } from '../shell/text-page.tsx'

type Counts = Reply<typeof getModerationCounts>
type Month = Counts['months'][number]

const columns: { key: Exclude<keyof Month, 'month'>; label: string }[] = [
  { key: 'reports', label: 'Reports made' },
  { key: 'approved', label: 'Reports acted on' },
  { key: 'rejected', label: 'Reports rejected' },
  { key: 'removed_videos', label: 'Videos removed' },
  { key: 'removed_comments', label: 'Comments removed' },
  { key: 'suspensions', label: 'Suspensions' },
  { key: 'bans', label: 'Bans' },
  { key: 'appeals', label: 'Appeals' },
  { key: 'granted_appeals', label: 'Appeals granted' },
]

/** How moderation works here, and how much of it there is. */
export function TransparencyPage({ months }: Counts) {
  return (
    <TextPage
      title="How we moderate"
      lead="Who decides what stays here, by which rules, and how often. Counted by month, without names."
    >
      <TextSection title="What happens to a report">
        <p>
          Anyone who is signed in can report a video, a comment or a person. What is reported is hidden until
          a moderator has looked at it. Whoever’s last reports were mostly wrong can still report, but hides
          nothing by it; what is reported for involving minors, or for being made or shared without consent,
          is hidden whoever says so. No account is closed by reports alone: a person decides.
        </p>
        <p>
          A moderator then approves the report, and what it is about is removed or set right; or rejects it,
          and it is shown again. Whoever reported is told which. Nobody is told who reported them.
        </p>
      </TextSection>
      <TextSection title="What happens to whoever it concerns">
        <ul>
          <li>
            They are told what was hidden or removed, why, and in the moderator’s own words if there are any.
          </li>
          <li>
            They can be warned, suspended for some days, in which they can look but change nothing, or banned.
          </li>
          <li>
            They can appeal once against each decision, within {limits.appealDays} days, in{' '}
            <Link to="/settings/reports">Settings</Link>. Another moderator answers, where there is another.
            Who is banned is told why where they log in, and can <Link to="/contact">write to us</Link>.
          </li>
          <li>
            What was removed can be restored for {limits.appealDays} days. What involves minors cannot: its
            link is refused for good, and whoever brought it is banned.
          </li>
        </ul>
      </TextSection>
      <TextSection title="What moderators may and may not">
        <p>
          Moderators see what is public and what a report names; private bookmarks that nobody reported they
          do not see. Everything they do is written down in a log that nobody can change. The rules themselves
          are the <Link to="/terms">Terms of Service</Link>.
        </p>
      </TextSection>
      <section className="flex flex-col gap-3">
        <h2 id="counts" className="font-display text-20 font-bold tracking-[-0.01em] text-ink">
          The last twelve months
        </h2>
        <Figures months={months} />
      </section>
    </TextPage>
  )
}

function Figures({ months }: Counts) {
  if (months.every((month) => columns.every(({ key }) => month[key] === 0))) {
    return (
      <p className="rounded-card border border-dashed border-line px-4 py-5 text-14 text-quiet">
        Nothing was reported in the last twelve months.
      </p>
    )
  }
  return (
    <section
      aria-labelledby="counts"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line lg:w-240"
    >
      <table className="w-full border-collapse text-right text-14 tabular-nums">
        <thead>
          <tr className="border-b border-line align-bottom text-13 text-quiet">
            <th scope="col" className="sticky left-0 bg-surface px-4 py-3 text-left font-medium">
              Month
            </th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" className="min-w-20 px-3 py-3 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {months.map((month) => (
            <tr key={month.month}>
              <th
                scope="row"
                className="sticky left-0 bg-surface px-4 py-2.5 text-left font-medium whitespace-nowrap"
              >
                {monthName(month.month)}
              </th>
              {columns.map(({ key }) => (
                <td key={key} className={`px-3 py-2.5 ${month[key] === 0 ? 'text-quiet' : 'text-ink'}`}>
                  {month[key].toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** '2026-11' as 'Nov 2026': the same on the server and in the browser. */
function monthName(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
