import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbound } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'

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

/** Returns a client whose failures take equally long, for URLs of users: they do not learn which addresses are not public. */
export function hidingFailures(outbound: Pick<Outbound, 'get'>): Pick<Outbound, 'get'> {
  return {
    async get(url, options) {
      const startedAt = performance.now()
      try {
        return await outbound.get(url, options)
      } catch (error) {
        if (error instanceof OutboundError) await hideFailureDuration(error, startedAt)
        throw error
      }
    },
  }
}
