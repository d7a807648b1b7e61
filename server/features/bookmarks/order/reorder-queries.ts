/** Moving a bookmark within the manual order of its collection or channel (docs/decisions/0050-manual-order.md). */
import type { ReorderResult } from '@reelmark/contract/bookmark-order.ts'
import type { Db, Fragment, Sql, TransactionSql } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { isInList, type OrderedList, orderKey } from '../../../shared/order-keys.ts'
import { isInLibraryUnjoined } from '../../../shared/visibility.ts'
import { lockOwnDestination } from '../../collections/public-api.ts'
import { keyBetween, maxKeyLength, shortKeysBetween } from './order-keys.ts'

/** Where a bookmark is moved: after another one (null: to the top), or to a position from 1. */
export type ReorderTarget = { after: number | null } | { position: number }

interface Gap {
  /** The bookmark before the moved one, before and after the move; null at the top. Bookmarks in the trash do not count. */
  previous_after: number | null
  new_after: number | null
  /** The keys on both sides of the gap, including those of bookmarks in the trash. */
  before: string | null
  next: string | null
}

/**
 * Moves a bookmark within a list of its owner, which is then shown in its manual order. Moves within a collection wait for
 * each other, so that each one sees the neighbours that the one before left. Changes the moved row alone, unless its key
 * would be long.
 * @throws ApiError('not-found') if it is not the user's bookmark in that list, ('neighbour-missing') if `after` is not
 */
export async function reorderBookmark(
  db: Sql,
  userId: number,
  list: OrderedList,
  id: number,
  target: ReorderTarget,
): Promise<ReorderResult> {
  return db.begin(async (tx) => {
    const owned = await lockOwnDestination(tx, userId, { [`${list.kind}_id`]: list.id })
    if (owned === null) throw new ApiError('not-found')
    const gap = await findGap(tx, list, id, target)
    // A bookmark that is moved to where it is keeps its key.
    if (gap.previous_after !== gap.new_after) {
      const key = keyBetween(gap.before, gap.next)
      if (key !== null && key.length <= maxKeyLength) await setKeys(tx, list, [id], [key])
      else await respaceKeys(tx, list, id, gap)
    }
    await tx`update ${tx(`${list.kind}s`)} set list_order = 'manual' where id = ${list.id} and list_order <> 'manual'`
    return { after: gap.new_after, previous_after: gap.previous_after }
  })
}

/** Finds the gap that a bookmark is moved to. The moved bookmark itself is not one of the neighbours. */
async function findGap(tx: Db, list: OrderedList, id: number, target: ReorderTarget): Promise<Gap> {
  const key = orderKey(tx, list.kind)
  const others = tx`from bookmarks b where ${isInList(tx, list)} and b.id <> ${id}`
  const shown = tx`${others} and ${isInLibraryUnjoined(tx)}`
  const forwards = tx`order by ${key}, b.id`
  const backwards = tx`order by ${key} desc, b.id desc`
  const isTop = 'position' in target ? target.position === 1 : target.after === null
  const neighbour =
    'after' in target
      ? tx`select b.id, ${key} as key ${shown} and b.id = ${target.after}::bigint`
      : // A position past the end is the end.
        tx`(select b.id, ${key} as key ${shown} ${forwards} limit 1 offset ${Math.max(target.position - 2, 0)})
           union all (select b.id, ${key} ${shown} ${backwards} limit 1) limit 1`
  const [gap] = await tx<(Gap & { is_neighbour_missing: boolean })[]>`
    with moved as (
      select b.id, ${key} as key from bookmarks b
       where b.id = ${id} and ${isInList(tx, list)} and ${isInLibraryUnjoined(tx)}
    ), neighbour as materialized (${isTop ? tx`select null::bigint as id, null::text as key where false` : neighbour})
    select (select b.id ${shown} and (${key}, b.id) < (select key, id from moved) ${backwards} limit 1) as previous_after,
           (select id from neighbour) as new_after, (select key from neighbour) as before,
           ${
             isTop
               ? tx`(select ${key} ${others} ${forwards} limit 1)`
               : tx`(select ${key} ${others} and (${key}, b.id) > (select key, id from neighbour) ${forwards} limit 1)`
           } as next,
           not exists (select from neighbour) as is_neighbour_missing
      from moved`
  if (gap === undefined) throw new ApiError('not-found')
  // Without other bookmarks, every position is the only one.
  if (gap.is_neighbour_missing && 'after' in target && !isTop) throw new ApiError('neighbour-missing')
  return gap
}

/**
 * Gives the bookmarks around a gap, and the moved one in it, new short keys. Takes as many of them as needed: twice as many
 * until the keys between the outermost ones are short.
 */
async function respaceKeys(tx: TransactionSql, list: OrderedList, id: number, gap: Gap): Promise<void> {
  const key = orderKey(tx, list.kind)
  const others = tx`from bookmarks b where ${isInList(tx, list)} and b.id <> ${id}`
  // The last row before the gap: with equal keys, ids decide.
  const last = tx`(${gap.before ?? ''}::text collate "C", ${gap.new_after ?? 0}::bigint)`
  for (let size = 32; ; size *= 2) {
    const side = (isBefore: boolean): Fragment => tx`
      select b.id, ${key} as key, ${isBefore} as is_before ${others}
         and (${key}, b.id) ${isBefore ? tx`<=` : tx`>`} ${last}
       order by ${key} ${isBefore ? tx`desc` : tx`asc`}, b.id ${isBefore ? tx`desc` : tx`asc`} limit ${size + 1}`
    const rows = await tx<{ id: number; key: string; is_before: boolean }[]>`
      select * from (${gap.new_after === null ? tx`select 0::bigint as id, '' as key, true as is_before where false` : side(true)}) before
      union all select * from (${side(false)}) next`
    // The outermost rows are not changed.
    const before = rows.filter(({ is_before }) => is_before)
    const next = rows.filter(({ is_before }) => !is_before)
    let start = before.length > size ? (before.pop()?.key ?? null) : null
    let end = next.length > size ? (next.pop()?.key ?? null) : null
    if (start === null && end === null) {
      // The whole list: its last or first row determines the range of the keys.
      end = next.pop()?.key ?? null
      if (end === null) start = before.pop()?.key ?? null
    }
    const ids = [...before.reverse().map((row) => row.id), id, ...next.map((row) => row.id)]
    const keys = shortKeysBetween(start, end, ids.length)
    if (keys !== null) {
      await tx`select lock_bookmarks(${ids}::bigint[])`
      return setKeys(tx, list, ids, keys)
    }
  }
}

async function setKeys(tx: Db, { kind }: OrderedList, ids: number[], keys: string[]): Promise<void> {
  await tx`
    update bookmarks b set ${tx(`${kind}_order_key`)} = moved.key
      from unnest(${ids}::bigint[], ${keys}::text[]) moved (id, key) where b.id = moved.id`
}
