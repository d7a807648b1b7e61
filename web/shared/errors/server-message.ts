import { isCallError } from '@reelmark/contract/protocol/call.ts'

/**
 * What the server says of a report or of what moderators do, in its own words (`error`), else `fallback` (product.md
 * section 8). What it says of its own faults is for its operator.
 */
export function serverMessageOr(error: unknown, fallback: string): string {
  if (!isCallError(error) || error.status === 0 || error.status >= 500) return fallback
  const { error: said } = (error.body ?? {}) as { error?: unknown }
  return typeof said === 'string' && said !== '' ? said : fallback
}
