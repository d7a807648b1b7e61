/**
 * Slices of the order of a search. The index of words contains the cells of the results' order that each bookmark is in
 * (search_keys() in server/migrations), so a search reads the bookmarks that match in one slice after the other until the
 * page is full. The first slices are small and the last ones large: a common word is found in the first, and a rare one, or
 * one of old bookmarks only, in few steps. A word that a random sample of the videos does not contain is so rare that all
 * bookmarks with it are read at once.
 */
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { Db, Fragment } from '../../core/database/database.ts'

/** Cells of an order: each level has cells of eight times the size. */
interface CellOrder {
  /** Number of the first level in the keys. */
  firstLevel: number
  levelCount: number
  /** The highest cell of the first level. */
  maxCell: number
}

const timeOrder: CellOrder = { firstLevel: 0, levelCount: 6, maxCell: 1_048_575 }
const randomOrder: CellOrder = { firstLevel: 6, levelCount: 4, maxCell: 4095 }
const orientationLevel = 10
const orientationsInKeys: readonly Orientation[] = ['sfw', 'straight', 'gay', 'bi', 'trans']

const secondsPerCell = 21_600
/** Each level has slices of this many cells, and one with the cells that remain of the level. */
const sliceSizes = [1, 3]

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
 * @param micros microseconds since 1970; null starts with the newest
 */
export function timeSlices(
  micros: number | null,
  direction: 'older' | 'newer',
  now = Date.now(),
): SlicedOrder {
  const { maxCell } = timeOrder
  const cell = timeCell(micros ?? now * 1000)
  const end = direction === 'older' ? 0 : maxCell
  const slices = sliceCells(timeOrder, cell, end)
  if (micros !== null || direction === 'newer') return { slices, whole: wholeSlice(timeOrder, cell, end) }
  // What has a time in the future is the newest.
  const future = sliceCells(timeOrder, Math.min(cell + 1, maxCell), maxCell).flat()
  return { slices: [future, ...slices], whole: wholeSlice(timeOrder, maxCell, 0) }
}

/** Returns slices of the random order between two positions from 0 to 1, both included. */
export function randomSlices(from: number, to: number): SlicedOrder {
  const [first, last] = [randomCell(from), randomCell(to)]
  return { slices: sliceCells(randomOrder, first, last), whole: wholeSlice(randomOrder, first, last) }
}

/** Returns the key of a share of all videos: the 4096th, the 512th or the 64th part of them. */
export function sampleKey(share: 4096 | 512 | 64): number {
  const level = { 4096: 0, 512: 1, 64: 2 }[share]
  return cellKey(randomOrder, level, 0)
}

export function orientationKey(orientation: Orientation): number {
  return (orientationLevel << 20) + orientationsInKeys.indexOf(orientation) + 1
}

/** The condition that bookmarks `b` are in one of the slices of `keys`, an array of integers. */
export function isInSlices(db: Db, keys: Fragment): Fragment {
  return db`search_keys(b.lead_created_at, b.random_key, b.lead_orientation) && ${keys}`
}

/** The condition that bookmarks `b` are in the slice of a key. */
export function hasKey(db: Db, key: number): Fragment {
  return isInSlices(db, db.unsafe(`'{${Math.trunc(key)}}'::int[]`) as Fragment)
}

function timeCell(micros: number): number {
  return clamp(Math.floor(micros / 1_000_000 / secondsPerCell), timeOrder)
}

function randomCell(position: number): number {
  return clamp(Math.floor(position * (randomOrder.maxCell + 1)), randomOrder)
}

function clamp(cell: number, { maxCell }: CellOrder): number {
  return Math.min(Math.max(cell, 0), maxCell)
}

function cellKey({ firstLevel }: CellOrder, level: number, cell: number): number {
  return ((firstLevel + level) << 20) + cell
}

function wholeSlice(order: CellOrder, from: number, to: number): Slice {
  const level = order.levelCount - 1
  const [first, last] = [Math.min(from, to) >> (3 * level), Math.max(from, to) >> (3 * level)]
  return Array.from({ length: last - first + 1 }, (_, index) => cellKey(order, level, first + index))
}

/**
 * Divides the cells from one to another into slices. On each level they reach the end of a cell of the next level, but
 * contain at least eight cells, so that each slice has at most a few times as many cells as all before it.
 */
function sliceCells(order: CellOrder, from: number, to: number): Slice[] {
  const slices: Slice[] = []
  const step = to < from ? -1 : 1
  let cell = from
  for (let level = 0; level < order.levelCount; level++) {
    const last = to >> (3 * level)
    const isTop = level === order.levelCount - 1
    const keys: number[] = []
    const isAligned = () => keys.length >= 8 && (step < 0 ? cell % 8 === 7 : cell % 8 === 0)
    while ((last - cell) * step >= 0 && (isTop || !isAligned())) {
      keys.push(cellKey(order, level, cell))
      cell += step
    }
    let start = 0
    for (const size of [...sliceSizes, keys.length]) {
      if (start < keys.length) slices.push(keys.slice(start, start + size))
      start += size
    }
    if ((last - cell) * step < 0) break
    cell >>= 3
  }
  return slices
}
