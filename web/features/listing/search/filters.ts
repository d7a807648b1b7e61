import * as limits from '@reelmark/contract/protocol/limits.ts'
import { clockDuration } from '../../../ui/duration.ts'
import type { ExploreSearch } from '../explore-search.ts'

export type Filters = Pick<
  ExploreSearch,
  'host' | 'min_duration' | 'max_duration' | 'saved_after' | 'saved_before'
>

/** Returns the filters of a search, each with the text that describes it. */
export function describeFilters(search: ExploreSearch): { name: keyof Filters; label: string }[] {
  const { host, min_duration, max_duration, saved_after, saved_before } = search
  const labels: Record<keyof Filters, string | undefined> = {
    host: host === undefined ? undefined : `Site: ${host}`,
    min_duration: min_duration === undefined ? undefined : `At least ${clockDuration(min_duration)}`,
    max_duration: max_duration === undefined ? undefined : `At most ${clockDuration(max_duration)}`,
    saved_after: saved_after === undefined ? undefined : `Saved from ${saved_after}`,
    saved_before: saved_before === undefined ? undefined : `Saved before ${saved_before}`,
  }
  return (Object.keys(labels) as (keyof Filters)[]).flatMap((name) => {
    const label = labels[name]
    return label === undefined ? [] : [{ name, label }]
  })
}

/** Converts the minutes in a text field to seconds; undefined if the field is empty, null if its text is invalid. */
export function readMinutes(text: string): number | undefined | null {
  if (text.trim() === '') return undefined
  const seconds = Math.round(Number(text) * 60)
  return seconds >= 0 && seconds <= limits.durationMax ? seconds : null
}
