import { setTimeout as sleep } from 'node:timers/promises'
import type { OutboundError } from './outbound-error.ts'

/**
 * The duration of failed requests is a multiple of this, so that it does not reveal whether a host is not public, does
 * not exist or refuses the connection. The measured durations of these cases differ by less than a second.
 */
const failureStepMs = 2000

/**
 * Waits after a failed request until its duration reveals nothing about the host.
 * @param startedAt when the request started, from `performance.now()`
 */
export async function hideFailureDuration(error: OutboundError, startedAt: number): Promise<void> {
  if (error.isUnreachable) await sleep(failureStepMs - ((performance.now() - startedAt) % failureStepMs))
}
