/**
 * Returns the URL of a player that starts at a time.
 * @param parameter how the player names the time: see `start_parameter` of a video in contract/bookmarks.ts
 */
export function withStartTime(src: string, parameter: string | null, seconds: number): string {
  if (parameter === null || seconds <= 0) return src
  const time = `${Math.floor(seconds / 3_600)}h${Math.floor(seconds / 60) % 60}m${seconds % 60}s`
  const part = parameter.replace('{seconds}', String(seconds)).replace('{time}', time)
  if (part.startsWith('#')) return src.split('#', 1)[0] + part
  return `${src}${src.includes('?') ? '&' : '?'}${part}`
}
