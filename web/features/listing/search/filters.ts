import type { BookmarkFilters } from '@reelmark/contract/bookmark-filters.ts'
import type { ListOrder } from '@reelmark/contract/collections.ts'
import type { listingOrders } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import type { ExploreSearch, FilterSearch } from '../explore-search.ts'

/** The filters that the dialog of a list sets. */
export type Filters = Omit<FilterSearch, 'q' | 'literal'>

/** Where a list is shown: `own` lists the viewer's own bookmarks, which have further filters. */
export type ListKind = 'explore' | 'own' | 'others'

/** What orders and filters a list offers. */
export interface FilterOptions {
  kind: ListKind
  /** Of a collection or channel: the order in which its owner shows it. Other lists are newest first. */
  ownOrder?: ListOrder | undefined
  /** Whether the list shows one collection or channel, so that it is not filtered by collection. */
  isInContainer?: boolean | undefined
  /** Whether the dialog sets the orientation. Otherwise the page has a select for it. */
  hasOrientation?: boolean | undefined
  /** The name of the collection by which the list is filtered, if the page knows it. Otherwise the chip fetches it. */
  collectionName?: string | undefined
}

/** The id of the button that opens the filters. It gets the focus when the last chip is removed. */
export const filtersButtonId = 'filters-button'

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
export function filterLabels(
  filters: {
    [Name in Exclude<keyof Filters, 'orientation'>]?: BookmarkFilters[Name] | undefined
  },
) {
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

/**
 * Returns the filters of a search, each with the text that describes it. Explore shows its tag and orientation itself.
 * @param collectionName the name of the collection by which the list is filtered, if it is known
 */
export function describeFilters(
  search: ExploreSearch,
  { kind }: FilterOptions,
  collectionName?: string,
): { name: keyof FilterSearch; label: string }[] {
  const isExplore = kind === 'explore'
  const { tag, collection, ...others } = filterLabels(search)
  const { orientation } = search
  const labels: Partial<Record<keyof FilterSearch, string | undefined>> = {
    q: isExplore || search.q === undefined ? undefined : `Search: ${search.q}`,
    orientation:
      isExplore || orientation === undefined ? undefined : `Orientation: ${orientationLabels[orientation]}`,
    tag: isExplore ? undefined : tag,
    collection: collection && collectionName ? `Collection: ${collectionName}` : collection,
    ...others,
  }
  return (Object.keys(labels) as (keyof FilterSearch)[]).flatMap((name) => {
    const label = labels[name]
    return label ? [{ name, label }] : []
  })
}

/** Converts the minutes in a text field to seconds; undefined if the field is empty, null if its text is invalid. */
export function readMinutes(text: string): number | undefined | null {
  if (text.trim() === '') return undefined
  const seconds = Math.round(Number(text) * 60)
  return seconds >= 0 && seconds <= limits.durationMax ? seconds : null
}
