import { startTransition, useEffect, useState } from 'react'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function ago(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Caches formats, because creating one takes 500 times as long as using it and pages have dozens of dates. */
function dateText(time: Date, locale: string | undefined, timeZone: string | undefined): string {
  const key = `${locale} ${timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  formats.set(key, format)
  return format.format(time)
}

/**
 * 'just now' under 60 s, then minutes, hours and days ago up to 7 days, then a date as the locale writes it.
 * A time in the future (a clock that goes wrong) is just now.
 */
export function relativeTime(time: Date, now: Date, locale?: string, timeZone?: string): string {
  const passed = now.getTime() - time.getTime()
  if (passed < minute) return 'just now'
  if (passed < hour) return ago(Math.floor(passed / minute), 'minute')
  if (passed < day) return ago(Math.floor(passed / hour), 'hour')
  if (passed < 7 * day) return ago(Math.floor(passed / day), 'day')
  return dateText(time, locale, timeZone)
}

/** A time relative to now, updated every minute; the tooltip shows the exact time. */
export function RelativeTime({ time }: { time: string }) {
  // Null until hydration: the server does not know the locale and time zone of the visitor.
  const [now, setNow] = useState<Date | null>(null)
  useEffect(() => {
    // Low priority, because a page has dozens of these.
    const update = () => startTransition(() => setNow(new Date()))
    update()
    const timer = setInterval(update, minute)
    return () => clearInterval(timer)
  }, [])
  const moment = new Date(time)
  return (
    <time dateTime={time} title={now === null ? undefined : moment.toLocaleString()} suppressHydrationWarning>
      {now === null ? relativeTime(moment, new Date(), 'en', 'UTC') : relativeTime(moment, now)}
    </time>
  )
}
