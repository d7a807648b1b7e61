import * as limits from '@reelmark/contract/protocol/limits.ts'

/** Parses `1:02:03`, `12:34` or `90` and returns seconds. Returns null for a blank text and undefined for an invalid one. */
export function parseDuration(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (!/^\d{1,7}(?::\d{1,2}){0,2}$/.test(trimmed)) return undefined
  const parts = trimmed.split(':').map(Number)
  if (parts.slice(1).some((part) => part >= 60)) return undefined
  const seconds = parts.reduce((total, part) => total * 60 + part, 0)
  return seconds <= limits.durationMax ? seconds : undefined
}
