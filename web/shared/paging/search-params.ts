/** Read single values of a page's address. Invalid values are undefined, so that every address shows a page. */
import { type OrientationFilter, orientationFilters } from '@reelmark/contract/protocol/fields.ts'

/** Reads a whole number between `min` and `max`. */
export function readInteger(value: unknown, min: number, max: number): number | undefined {
  const number =
    typeof value === 'number' ? value : /^\d{1,16}$/.test(String(value)) ? Number(value) : Number.NaN
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

/** Reads a text, trimmed, without NUL characters and cut to `max` characters. */
export function readText(value: unknown, max: number): string | undefined {
  const raw = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const text = raw.replaceAll('\0', '').trim().slice(0, max).toWellFormed()
  return text === '' ? undefined : text
}

/** Reads a page number from 2 on; undefined is the first page. */
export function readPage(value: unknown): number | undefined {
  return readInteger(value, 2, 1_000_000)
}

/** Reads an id. Those of videos have up to 16 digits. */
export function readId(value: unknown): number | undefined {
  return readInteger(value, 1, Number.MAX_SAFE_INTEGER)
}

/** Reads an orientation filter; undefined is all orientations. */
export function readOrientation(value: unknown): Exclude<OrientationFilter, 'all'> | undefined {
  const filter = orientationFilters.find((option) => option === value)
  return filter === 'all' ? undefined : filter
}

/**
 * The `validateSearch` of a page that reads its parameters itself. It validates nothing and only declares their names, which
 * are those of `Search`. Code in `validateSearch` is loaded by every page.
 */
export function readLater<Search>(search: Record<string, unknown>): { [Name in keyof Search]?: unknown } {
  return search as { [Name in keyof Search]?: unknown }
}
