import { isCallError } from '@reelmark/contract/protocol/call.ts'

/**
 * Returns the server's `error` text of a failed report or moderation call, else `fallback` (docs/behaviour.md, Forms
 * and messages). The texts of server errors (5xx) are for the operator and are not shown.
 */
export function serverMessageOr(error: unknown, fallback: string): string {
  if (!isCallError(error) || error.status === 0 || error.status >= 500) return fallback
  const { error: said } = (error.body ?? {}) as { error?: unknown }
  return typeof said === 'string' && said !== '' ? said : fallback
}
