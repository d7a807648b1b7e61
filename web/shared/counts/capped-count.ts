import * as limits from '@reelmark/contract/protocol/limits.ts'

/** Formats a count that the server stops at 99: '7', '99+'. */
export function cappedCount(count: number): string {
  return count >= limits.unreadMax ? '99+' : String(count)
}
