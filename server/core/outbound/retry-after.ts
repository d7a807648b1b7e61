import type { OutboundResponse } from './outbound.ts'

/** Sites that ask for more are requested again after a day. */
const maxSeconds = 24 * 60 * 60

/**
 * Returns how many seconds a response asks to wait, with its header Retry-After in either form; 0 if it does not.
 * @param now milliseconds since 1970
 */
export function readRetryAfter({ headers }: Pick<OutboundResponse, 'headers'>, now: number): number {
  const value = String(headers['retry-after'] ?? '').trim()
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), maxSeconds) : 0
}

/** Returns whether a response means that a later request may succeed. */
export function isTemporaryFailure({ status }: Pick<OutboundResponse, 'status'>): boolean {
  return status === 429 || status >= 500
}
