/** What a user's own bookmarks are filtered by, as keys of their index: those of vault_keys() in server/migrations. */
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { orientationsInKeys } from './search-slices.ts'

const keysPerUser = 128
const [library, trash, notPublic, firstOrientation, firstDuration, firstEighth] = [0, 1, 2, 9, 16, 41]
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

/** Returns keys of which each bookmark that matches a filter has one; null if the index has no keys for the filter. */
function keysOf(filter: FilterTerm): number[] | null {
  if (filter.negated) return null
  if (filter.kind === 'no') return [lacked[filter.part]]
  if (filter.kind === 'is' && filter.state === 'private') return [notPublic]
  if (filter.kind === 'longer') return durationKeys(filter.seconds, limits.durationMax)
  if (filter.kind === 'shorter') return durationKeys(0, Math.max(filter.seconds - 1, 0))
  return null
}

/** Durations with these numbers of binary digits also have the key of an eighth of them: from 64 seconds to 4.5 hours. */
const divided = { min: 7, max: 14 }

/**
 * Returns the keys of durations between two, both included, of which the first is 0 or the second the longest of all: one for each
 * number of binary digits. If durations with as many digits as the limit are divided, only the eighths that it leaves are read.
 */
function durationKeys(from: number, to: number): number[] {
  const digits = (seconds: number) => 32 - Math.clz32(seconds)
  const keys = (first: number, last: number) =>
    Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index)
  const [first, last] = [firstDuration + digits(from), firstDuration + digits(to)]
  const limit = from > 0 ? from : to
  const size = digits(limit)
  if (size < divided.min || size > divided.max) return keys(first, last)
  const eighths = firstEighth + 8 * (size - divided.min)
  const eighth = eighths + ((limit >> (size - 4)) & 7)
  return from > 0
    ? [...keys(eighth, eighths + 7), ...keys(first + 1, last)]
    : [...keys(first, last - 1), ...keys(eighths, eighth)]
}
