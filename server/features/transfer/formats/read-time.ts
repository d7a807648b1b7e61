/** Reads the times that other tools write. */

/** Before that there was no tool that saves links; 0 and 1970 stand for an unknown time. */
const earliest = Date.UTC(1990, 0, 1)
const dayMs = 24 * 60 * 60 * 1000
const maxLength = 64

/** Hours from UTC of abbreviations that `Date.parse` does not know. */
const zones: Record<string, number> = {
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  MEZ: 1,
  CEST: 2,
  MESZ: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  IST: 5.5,
  SGT: 8,
  HKT: 8,
  JST: 9,
  KST: 9,
  AEST: 10,
  AEDT: 11,
}

/**
 * Returns a time as RFC 3339 in UTC; null if it is unknown, before 1990 or in the future.
 * @param value ISO 8601, RFC 2822, a number of seconds, milliseconds, microseconds or nanoseconds since 1970, or a date as
 *   English or German pages write it; without a zone it is in UTC
 */
export function readTime(value: unknown, now = Date.now()): string | null {
  const ms =
    typeof value === 'number' ? readNumber(value) : typeof value === 'string' ? readText(value) : Number.NaN
  return ms >= earliest && ms <= now + dayMs ? new Date(ms).toISOString() : null
}

/** Returns milliseconds. The units differ by factors of a thousand, so a time after 1973 fits only one of them. */
function readNumber(value: number): number {
  const size = Math.abs(value)
  if (size < 1e11) return value * 1000
  if (size < 1e14) return value
  if (size < 1e17) return value / 1000
  return value / 1_000_000
}

function readText(value: string): number {
  if (value.length > maxLength) return Number.NaN
  // Recent versions of browsers and tools put narrow spaces before AM and PM.
  const text = value.replace(/\s/g, ' ').trim()
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return readNumber(Number(text))
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4}),? (\d{1,2}:\d\d:\d\d)(?: ([A-Z]{2,5}))?$/.exec(text)
  if (german !== null) {
    const [, day = '', month = '', year = '', time = '', zone = 'UTC'] = german
    return readZoned(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time}`, zone)
  }
  const [, local = text, zone = ''] = /^(.*\d(?: [AP]M)?) ([A-Z]{2,5})$/.exec(text) ?? []
  if (Object.hasOwn(zones, zone)) return readZoned(local, zone)
  return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`)
    : Date.parse(text)
}

function readZoned(local: string, zone: string): number {
  return Date.parse(`${local} UTC`) - (zones[zone] ?? 0) * 60 * 60 * 1000
}
