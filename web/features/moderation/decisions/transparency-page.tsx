import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { getModerationCounts } from '@reelmark/contract/sanctions.ts'
import { Link } from '@tanstack/react-router'
import { TextPage, TextSection } from '../../../shared/pages/text-page.tsx'

type ModerationCounts = Reply<typeof getModerationCounts>
type Month = ModerationCounts['months'][number]

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

/** Explains moderation and shows monthly counts. */
export function TransparencyPage({ months }: ModerationCounts) {
  return (
    <TextPage title="How we moderate" lead="How we review reports, who decides, and monthly statistics.">
      <TextSection title="How reports work">
        <p>
          Any logged-in user can report a video, comment or user. Reported content is hidden until a moderator
          reviews it. Reports from people whose recent reports were mostly rejected don't hide content, except
          reports about minors or non-consensual content, which always do. Accounts are never closed by
          reports alone: a moderator always decides.
        </p>
        <p>
          A moderator then upholds the report and removes or corrects the content, or rejects it and makes the
          content visible again. We notify the reporter of the outcome. Reports are anonymous.
        </p>
      </TextSection>
      <TextSection title="If your content is reported">
        <ul>
          <li>We tell you what was hidden or removed and why, including any message from the moderator.</li>
          <li>
            We may warn you, suspend your account for a number of days (you can still browse), or ban you.
          </li>
          <li>
            You can appeal each decision once within {limits.appealDays} days in{' '}
            <Link to="/settings/reports">Settings</Link>. A different moderator reviews it when possible. If
            you're banned, you'll see the reason when you log in and can <Link to="/contact">contact us</Link>
            .
          </li>
          <li>
            Removed content can be restored for {limits.appealDays} days. Content involving minors is never
            restored: its link is blocked permanently and the user who added it is banned.
          </li>
        </ul>
      </TextSection>
      <TextSection title="What moderators can see and do">
        <p>
          Moderators can see public content and reported content. They can't see private bookmarks that
          haven't been reported. Every moderator action is recorded in a log that can't be edited. The rules
          are in the <Link to="/terms">Terms of Service</Link>.
        </p>
      </TextSection>
      <TextSection title="The last twelve months">
        <MonthTable months={months} />
      </TextSection>
    </TextPage>
  )
}

function MonthTable({ months }: ModerationCounts) {
  if (months.every((month) => columns.every(({ key }) => month[key] === 0))) {
    return (
      <p className="rounded-card border border-dashed border-line px-4 py-5 text-14 text-quiet">
        No reports in the last twelve months.
      </p>
    )
  }
  return (
    <section
      aria-label="Counts by month"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable by keyboard.
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line lg:w-[min(60rem,50vw+34ch-var(--gutter))]"
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

/** Formats '2026-11' as 'Nov 2026', the same on the server and in the browser. */
function monthName(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
