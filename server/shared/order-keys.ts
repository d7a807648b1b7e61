/** The manual order of a collection or channel (docs/decisions/0050-manual-order.md). */
import type { Db, Fragment } from '../core/database/database.ts'

/** A list of bookmarks that has an order of its own. */
export interface OrderedList {
  kind: 'collection' | 'channel'
  id: number
}

/** The key by which the bookmarks `b` of a list are sorted in its manual order, as in the index. */
export function orderKey(db: Db, kind: OrderedList['kind'], alias = 'b'): Fragment {
  const b = db(alias)
  return db`(coalesce(${b}.${db(`${kind}_order_key`)}, time_order_key(${b}.created_at, ${b}.id)) collate "C")`
}

/** The condition that bookmarks `b` are in a list. */
export function isInList(db: Db, { kind, id }: OrderedList, alias = 'b'): Fragment {
  return db`${db(alias)}.${db(`${kind}_id`)} = ${id}`
}

/** Selects the order that the owner of a list chose. */
export function selectListOrder(db: Db, { kind, id }: OrderedList): Fragment {
  return db`select list_order from ${db(`${kind}s`)} where id = ${id}`
}
