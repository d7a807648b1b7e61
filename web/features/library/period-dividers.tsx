/** Divides cards of a list that is in the order of time: today, the last seven days, and then each month. */
import type { ReactNode } from 'react'

const day = 86_400_000

/** Returns the period of a time: 'Today', 'Last 7 days', or its month. */
function periodOf(time: string, now: number): string {
  const date = new Date(time)
  if (date.toDateString() === new Date(now).toDateString()) return 'Today'
  if (now - date.getTime() < 7 * day) return 'Last 7 days'
  return date.toLocaleDateString('en', { month: 'long', year: 'numeric' })
}

/** Returns a row of the grid before the first card of each period, which names the period; nothing before other cards. */
export function divideByPeriod(items: readonly { created_at: string }[]): ReactNode[] {
  const now = Date.now()
  const periods = items.map((item) => periodOf(item.created_at, now))
  return periods.map((period, index) =>
    period === periods[index - 1] ? null : <PeriodDivider key={period} label={period} />,
  )
}

function PeriodDivider({ label }: { label: string }) {
  return (
    <li className="col-span-full -mb-2 flex items-center gap-4 text-14 font-semibold text-ink not-first:mt-2 after:h-px after:flex-1 after:bg-line sm:-mb-4">
      {label}
    </li>
  )
}
