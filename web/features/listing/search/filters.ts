import type { BookmarkFilters } from '@reelmark/contract/bookmark-filters.ts'
import type { listingOrders } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { clockDuration } from '../../../ui/duration.ts'
import type { ExploreSearch, FilterSearch } from '../explore-search.ts'

export type Filters = Omit<FilterSearch, 'q' | 'orientation' | 'literal'>

/** Where a list is shown: `own` lists the viewer's own bookmarks, which have further filters. */
export type ListKind = 'explore' | 'own' | 'others'

export const orderLabels: Record<(typeof listingOrders)[number], string> = {
  relevance: 'Best match',
  newest: 'Newest first',
  oldest: 'Oldest first',
  most_saved: 'Most saved',
  most_liked: 'Most liked',
  longest: 'Longest',
  shortest: 'Shortest',
  title: 'Title',
  last_watched: 'Last watched',
}

/** Returns the text of each filter except the search and the orientation; undefined for filters that are not set. */
export function filterLabels(filters: { [Name in keyof Filters]?: BookmarkFilters[Name] | undefined }) {
  const { tag, host, min_duration, max_duration, saved_after, saved_before, watched, access } = filters
  return {
    tag: tag && `Tag: ${tag}`,
    host: host && `Site: ${host}`,
    min_duration: min_duration === undefined ? undefined : `At least ${clockDuration(min_duration)}`,
    max_duration: max_duration === undefined ? undefined : `At most ${clockDuration(max_duration)}`,
    saved_after: saved_after && `Saved from ${saved_after}`,
    saved_before: saved_before && `Saved before ${saved_before}`,
    watched: watched === undefined ? undefined : watched ? 'Watched' : 'Not watched',
    access: access && (access === 'private' ? 'Private' : 'Public'),
    collection: filters.collection === undefined ? undefined : 'In one collection',
    untagged: filters.untagged ? 'Without tags' : undefined,
    no_picture: filters.no_picture ? 'Without picture' : undefined,
    no_player: filters.no_player ? 'Without player' : undefined,
  }
}

/** Returns the filters of a search, each with the text that describes it. Explore shows its tag itself. */
export function describeFilters(
  search: ExploreSearch,
  kind: ListKind,
): { name: keyof FilterSearch; label: string }[] {
  const isExplore = kind === 'explore'
  const { tag, ...others } = filterLabels(search)
  const labels: Partial<Record<keyof FilterSearch, string | undefined>> = {
    q: isExplore || search.q === undefined ? undefined : `Search: ${search.q}`,
    tag: isExplore ? undefined : tag,
    ...others,
  }
  return (Object.keys(labels) as (keyof FilterSearch)[]).flatMap((name) => {
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
