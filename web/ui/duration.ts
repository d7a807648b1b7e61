const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds in the largest unit that fits: '45 seconds', '12 minutes', '2 hours', '1 day'. */
export function durationText(seconds: number): string {
  for (const [unit, length] of units) {
    if (seconds >= length) {
      const count = Math.floor(seconds / length)
      return `${count} ${unit}${count === 1 ? '' : 's'}`
    }
  }
  return '0 seconds'
}

/** Seconds as the length of several videos: '5 h 12 min', '12 min'. */
export function lengthText(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(' ')
}

/** Returns seconds as a clock, as thumbnails show it: `0:48`, `10:34`, `1:01:11`. */
export function clockDuration(seconds: number): string {
  const whole = Math.floor(seconds)
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** Returns seconds as an ISO 8601 duration: `PT634S`. */
export function isoDuration(seconds: number): string {
  return `PT${Math.floor(seconds)}S`
}
