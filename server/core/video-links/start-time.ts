/** The start time that a link names, such as `?t=90`, `#t=1m30s` or `start=1:30`. It is no part of the video's identity. */
import { durationMax } from '@reelmark/contract/protocol/limits.ts'
import { findVideo, unwrapVideoLink } from './recognise-video.ts'

/** The names of the parameter on the pages and players of the hosts that have one. */
const parameterNames = ['t', 'start', 'time_continue', 'startTime', 'time'] as const

/**
 * Returns the start time of a link in seconds; null if it names none, or 0. A parameter such as `?t=` has this meaning only
 * for hosts whose player can start at a time; the fragment `#t=` has it everywhere (https://www.w3.org/TR/media-frags/).
 */
export function readStartTime(link: string): number | null {
  const found = findVideo(link)
  const url = found?.url ?? unwrapVideoLink(link)
  if (url === null) return null
  const known = found?.video ?? null
  if (known !== null && known.start_parameter === null) return null
  const texts = [new URLSearchParams(url.hash.slice(1)).get('t')]
  if (known !== null) texts.push(...parameterNames.map((name) => url.searchParams.get(name)))
  for (const text of texts) {
    const seconds = text === null ? null : parseStartTime(text)
    if (seconds !== null) return seconds
  }
  return null
}

/** Parses `90`, `90s`, `1m30s`, `1h2m3s`, `1:30`, `1:02:03` or `npt:90,120` (the time before the comma). */
function parseStartTime(text: string): number | null {
  const [first = ''] = text.replace(/^npt:/, '').split(',')
  const units = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,7})(?:\.\d{1,9})?s?)?$/i.exec(first)
  const clock = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:\.\d{1,9})?$/.exec(first)
  const [, hours, minutes, seconds] = clock ?? units ?? []
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return total > 0 && total <= durationMax ? total : null
}
