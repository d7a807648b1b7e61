import { orientations } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import { beforeAll, expect, test } from 'vitest'
import { useSite } from '../../testing/use-site.ts'
import { type KeyedFilter, vaultKeys } from './vault-keys.ts'

const { site } = await useSite()

/** Every number of binary digits and the durations next to it, durations next to each eighth of them, and no duration. */
const durations: (number | null)[] = [null, 0]
for (let power = 1; power < limits.durationMax; power *= 2) {
  for (let eighth = power; eighth < 2 * power; eighth += Math.max(power / 8, 1)) {
    durations.push(...[eighth - 1, eighth, eighth + 1].filter((duration) => duration <= limits.durationMax))
  }
}

/** The keys of each bookmark, as the database computes them. */
let stored: Set<number>[]

beforeAll(async () => {
  const rows = await site.db<{ keys: number[] }[]>`
    select vault_keys(7, 3, 4, null, true, '{tag}', false, false, 'bi', duration)::float8[] as keys
      from unnest(${durations}::int[]) with ordinality as rows (duration, n) order by n`
  stored = rows.map(({ keys }) => new Set(keys))
})

/** Returns the durations of the bookmarks that the index finds. */
function find(filters: FilterTerm[], rest: Partial<KeyedFilter> = {}): (number | null)[] {
  const { all, any } = vaultKeys(7, {
    orientation: null,
    collection: null,
    channel: null,
    isTrash: false,
    filters,
    ...rest,
  })
  return durations.filter((_, index) => {
    const keys = stored[index] ?? new Set()
    return all.every((key) => keys.has(key)) && any.every((list) => list.some((key) => keys.has(key)))
  })
}

test('the keys of a duration filter find all bookmarks that match, and of the others at most those of an eighth', () => {
  for (const limit of durations) {
    if (limit === null) continue
    const longer = find([{ kind: 'longer', seconds: limit, negated: false }])
    const shorter = find([{ kind: 'shorter', seconds: limit + 1, negated: false }])
    const isKnown = (duration: number | null): duration is number => duration !== null
    const known = durations.filter(isKnown)
    expect(longer.filter((duration) => isKnown(duration) && duration >= limit)).toEqual(
      known.filter((duration) => duration >= limit),
    )
    expect(shorter.filter((duration) => isKnown(duration) && duration <= limit)).toEqual(
      known.filter((duration) => duration <= limit),
    )
    if (limit < 64 || limit >= 2 ** 14) continue
    expect(longer.every((duration) => isKnown(duration) && duration > limit * (7 / 8) - 1)).toBe(true)
    expect(shorter.every((duration) => isKnown(duration) && duration < limit * (9 / 8) + 1)).toBe(true)
  }
})

test('the keys of lists and orientations are those of the database', () => {
  expect(find([], { collection: 3, channel: 4, orientation: 'bi' })).toEqual(durations)
  expect(find([], { collection: 4 })).toEqual([])
  expect(find([], { isTrash: true })).toEqual([])
  for (const orientation of orientations) {
    expect(find([], { orientation })).toHaveLength(orientation === 'bi' ? durations.length : 0)
  }
})
