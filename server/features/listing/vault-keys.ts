/** What a user's own bookmarks are filtered by, as keys of their index: those of vault_keys() in server/migrations. */
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { orientationsInKeys } from './search-slices.ts'

const keysPerUser = 64
const [library, trash, notPublic, firstOrientation, firstDuration] = [0, 1, 2, 9, 16]
const lacked = { tag: 3, picture: 4, player: 5 }

export interface KeyedFilter {
  orientation: Orientation | null
  collection: number | null
  channel: number | null
  isTrash: boolean
  filters: readonly FilterTerm[]
}

export interface VaultKeys {
  /** The bookmark has all of these. */
  all: number[]
  /** Of each list, the bookmark has at least one. */
  any: number[][]
}

/**
 * Returns keys that the bookmarks of a user have which match the filters. Others can have them too: the conditions of the
 * filters exclude those.
 */
export function vaultKeys(
  userId: number,
  { orientation, collection, channel, isTrash, filters }: KeyedFilter,
): VaultKeys {
  const ownKey = (key: number) => userId * keysPerUser + key
  const all = [ownKey(isTrash ? trash : library)]
  if (orientation !== null) all.push(ownKey(firstOrientation + orientationsInKeys.indexOf(orientation)))
  if (collection !== null) all.push(-2 * collection)
  if (channel !== null) all.push(-2 * channel - 1)
  const any: number[][] = []
  for (const keys of filters.map(keysOf)) {
    if (keys?.length === 1) all.push(...keys.map(ownKey))
    else if (keys !== null) any.push(keys.map(ownKey))
  }
  return { all, any }
}

/** Returns keys as an array. */
export function keyArray(db: Db, keys: readonly number[]): Fragment {
  return db`${keys}::bigint[]`
}

/** Returns whether a filter has keys, so that the index finds what matches it. */
export function hasKeys(filter: FilterTerm): boolean {
  return keysOf(filter) !== null
}

/** Returns whether all bookmarks with the keys of a filter match it, unlike those with the keys of durations. */
export function isExactInIndex(filter: FilterTerm): boolean {
  return hasKeys(filter) && (filter.kind === 'is' || filter.kind === 'no')
}

/** Returns keys of which each bookmark that matches a filter has one; null if the index has no keys for the filter. */
function keysOf(filter: FilterTerm): number[] | null {
  if (filter.negated) return null
  if (filter.kind === 'no') return [lacked[filter.part]]
  if (filter.kind === 'is' && filter.state === 'private') return [notPublic]
  if (filter.kind === 'longer') return durationKeys(filter.seconds, limits.durationMax)
  if (filter.kind === 'shorter') return durationKeys(0, Math.max(filter.seconds - 1, 0))
  return null
}

/** Returns the keys of durations between two, both included: one for each number of binary digits. */
function durationKeys(from: number, to: number): number[] {
  const digits = (seconds: number) => 32 - Math.clz32(seconds)
  return Array.from(
    { length: digits(to) - digits(from) + 1 },
    (_, index) => firstDuration + digits(from) + index,
  )
}
