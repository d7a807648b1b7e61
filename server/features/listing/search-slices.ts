/**
 * Slices of the order of a search. The index of words contains the cells of the results' order that each bookmark is in
 * (search_keys() in server/migrations), so a search reads the bookmarks that match in one slice after the other until the
 * page is full. The first slices are small and the last ones large: a common word is found in the first, and a rare one, or
 * one of old bookmarks only, in few steps. A word that fewer than two videos of a random sample have is so rare that all
 * bookmarks with it are read at once.
 */
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'

/** Cells of an order: each level has cells of eight times the size. */
interface CellOrder {
  /** The number of each level in the keys. The finest one is newer than the others, and has a number above theirs. */
  levels: readonly number[]
  /** The highest cell of the first level. */
  maxCell: number
}

/** The times of which slices exist: of the lead bookmark of the video, and of the bookmark itself. */
export type SlicedTime = 'lead' | 'own'

const timeOrders: Record<SlicedTime, CellOrder & { secondsPerCell: number }> = {
  lead: { levels: [19, 0, 1, 2, 3, 4, 5], maxCell: 8_388_607, secondsPerCell: 2700 },
  own: { levels: [11, 12, 13, 14, 15, 16], maxCell: 1_048_575, secondsPerCell: 21_600 },
}

/** The indexes of words: of public bookmarks and of own ones. */
export type SearchIndex = 'public' | 'own'

const randomOrders: Record<SearchIndex, CellOrder> = {
  public: { levels: [18, 6, 7, 8, 9], maxCell: 32_767 },
  own: { levels: [6, 7, 8, 9], maxCell: 4095 },
}
const orientationLevel = 10
/** The order of the orientations in the keys of the indexes of public searches and of own bookmarks. */
export const orientationsInKeys: readonly Orientation[] = ['sfw', 'straight', 'gay', 'bi', 'trans']

/** Each level has slices of this many cells, and one with the cells that remain of the level. */
const sliceSizes = [1, 3]

/** Before the cells of the next level, at least so many are read. */
const minCells = 8

/**
 * Where at least so many rows are read, each cell is a slice, and from level 3 on (16 days, own times 128) more of them are read before
 * larger ones: most of the rows can be in a few years, and a slice of years would be read as a whole. For fewer rows, reading more
 * slices takes longer than it saves.
 */
const manyRows = { min: 2000, longLevel: 3, minLongCells: 64 }

/** The keys of one slice. */
export type Slice = number[]

/** The part of an order that a search reads. */
export interface SlicedOrder {
  slices: Slice[]
  /** One slice that contains all of them. */
  whole: Slice
}

/**
 * Returns slices from a time towards older or newer ones.
 * @param micros microseconds since 1970
 * @param rowCount how many rows are read at most
 */
export function timeSlices(
  time: SlicedTime,
  micros: number,
  direction: 'older' | 'newer',
  rowCount: number,
): SlicedOrder {
  const order = timeOrders[time]
  const cell = timeCell(time, micros)
  const end = direction === 'older' ? 0 : order.maxCell
  return { slices: sliceCells(order, cell, end, rowCount), whole: wholeSlice(order, cell, end) }
}

/**
 * Returns slices of all times, of which the one that contains `micros` is small. What lies before it in the order is the
 * first slice, although there should be nothing: a time in the future, or one before the oldest.
 */
export function allTimeSlices(
  time: SlicedTime,
  micros: number,
  direction: 'older' | 'newer',
  rowCount: number,
): SlicedOrder {
  const order = timeOrders[time]
  const cell = timeCell(time, micros)
  const start = direction === 'older' ? order.maxCell : 0
  const before =
    cell === start
      ? []
      : [sliceCells(order, direction === 'older' ? cell + 1 : cell - 1, start, rowCount).flat()]
  const { slices } = timeSlices(time, micros, direction, rowCount)
  return { slices: [...before, ...slices], whole: wholeSlice(order, order.maxCell, 0) }
}

/** Returns slices of the random order of an index between two positions from 0 to 1, both included. */
export function randomSlices(index: SearchIndex, from: number, to: number): SlicedOrder {
  const order = randomOrders[index]
  const [first, last] = [randomCell(order, from), randomCell(order, to)]
  return { slices: sliceCells(order, first, last), whole: wholeSlice(order, first, last) }
}

/** A random part of all videos. The index of own bookmarks has no key of the smallest one. */
export type SampleShare = 32_768 | 4096 | 512 | 64 | 8

/** Returns the key of a sample. */
export function sampleKey(share: SampleShare): number {
  const level = { 32768: 0, 4096: 1, 512: 2, 64: 3, 8: 4 }[share]
  return cellKey(randomOrders.public, level, 0)
}

/**
 * The condition that bookmarks `b` are in a sample. Each sample contains the smaller ones. For public searches, a 64th and a 512th have
 * indexes of their own (bookmarks_search_sample, bookmarks_search_small_sample), and for own bookmarks a 64th (bookmarks_vault_sample).
 * @param cells the expression of the index that contains the cells; null for the index of public searches
 */
export function isInSample(db: Db, share: SampleShare, cells: Fragment | null = null): Fragment {
  const end = db.unsafe(share === 8 ? '0.125' : share === 64 ? '0.015625' : '0.001953125') as Fragment
  return db`${hasKey(db, sampleKey(share), cells)} and b.random_key < ${end}`
}

export function orientationKey(orientation: Orientation): number {
  return (orientationLevel << 20) + orientationsInKeys.indexOf(orientation) + 1
}

/**
 * The condition that bookmarks `b` are in one of the slices of `keys`, an array of integers.
 * @param cells the expression of the index that contains the cells; null for the index of public searches
 */
export function isInSlices(db: Db, keys: Fragment, cells: Fragment | null = null): Fragment {
  return db`${cells ?? searchKeys(db, 'b')} && ${keys}`
}

/** The keys of a bookmark, as the index of words contains them. */
export function searchKeys(db: Db, alias: string): Fragment {
  const b = db(alias)
  return db`search_keys(${b}.lead_created_at, ${b}.random_key, ${b}.lead_orientation, ${b}.created_at, ${b}.search_vector)`
}

/**
 * Returns `and …`: own bookmarks `b` are in the cells between two times, as far as filters name them: after each of `after` and
 * before each of `before`, in microseconds since 1970. Empty for any time.
 */
export function isBetweenTimes(db: Db, after: number[], before: number[], cells: Fragment): Fragment {
  if (after.length === 0 && before.length === 0) return db``
  const keys = timeKeysBetween(Math.max(0, ...after), Math.min(Infinity, ...before))
  return db`and ${isInSlices(db, db`${keys}::int[]`, cells)}`
}

/**
 * The condition that bookmarks `b` are in the slice of a key. It is a constant of the statement, so that PostgreSQL expects as
 * many rows as the slice has.
 */
export function hasKey(db: Db, key: number, cells: Fragment | null = null): Fragment {
  return isInSlices(db, db`array[${inlineNumber(db, key)}]`, cells)
}

function timeCell(time: SlicedTime, micros: number): number {
  const order = timeOrders[time]
  return clamp(Math.floor(micros / 1_000_000 / order.secondsPerCell), order)
}

function randomCell(order: CellOrder, position: number): number {
  return clamp(Math.floor(position * (order.maxCell + 1)), order)
}

function clamp(cell: number, { maxCell }: CellOrder): number {
  return Math.min(Math.max(cell, 0), maxCell)
}

function cellKey({ levels }: CellOrder, level: number, cell: number): number {
  return ((levels[level] as number) << 20) + cell
}

function wholeSlice(order: CellOrder, from: number, to: number): Slice {
  const level = order.levels.length - 1
  const [first, last] = [Math.min(from, to) >> (3 * level), Math.max(from, to) >> (3 * level)]
  return Array.from({ length: last - first + 1 }, (_, index) => cellKey(order, level, first + index))
}

/**
 * Divides the cells from one to another into slices. On each level they reach the end of a cell of the next level, but
 * contain at least eight cells, so that each slice has at most a few times as many cells as all before it.
 * @param rowCount how many rows are read at most
 */
function sliceCells(order: CellOrder, from: number, to: number, rowCount = 0): Slice[] {
  const isOfCells = rowCount >= manyRows.min
  const slices: Slice[] = []
  const step = to < from ? -1 : 1
  let cell = from
  for (let level = 0; level < order.levels.length; level++) {
    const last = to >> (3 * level)
    const isTop = level === order.levels.length - 1
    const keys: number[] = []
    const min = isOfCells && level >= manyRows.longLevel ? manyRows.minLongCells : minCells
    const isAligned = () => keys.length >= min && (step < 0 ? cell % 8 === 7 : cell % 8 === 0)
    while ((last - cell) * step >= 0 && (isTop || !isAligned())) {
      keys.push(cellKey(order, level, cell))
      cell += step
    }
    let start = 0
    for (const size of isOfCells ? keys.map(() => 1) : [...sliceSizes, keys.length]) {
      if (start < keys.length) slices.push(keys.slice(start, start + size))
      start += size
    }
    if ((last - cell) * step < 0) break
    cell >>= 3
  }
  return slices
}

/** Returns the fewest keys of cells that together are exactly those between two own times: large cells between small ones. */
export function timeKeysBetween(firstMicros: number, lastMicros: number): number[] {
  const order = timeOrders.own
  const keys: number[] = []
  let [from, to] = [timeCell('own', firstMicros), timeCell('own', lastMicros)]
  for (let level = 0; ; level++) {
    const isTop = level === order.levels.length - 1
    while (from <= to && (isTop || from % 8 !== 0)) keys.push(cellKey(order, level, from++))
    while (from <= to && to % 8 !== 7) keys.push(cellKey(order, level, to--))
    if (from > to) break
    from >>= 3
    to >>= 3
  }
  return keys
}
