/** Limits how much of a kind of work one process does at a time. The rest waits, first come, first served. */
import { ApiError } from './errors.ts'

interface LimiterOptions {
  concurrency: number
  /** Calls that may wait in each of the two queues. */
  maxQueued: number
}

interface Priority {
  /** Trusted callers have a queue of their own, so that a flood of other calls does not lock out account owners. */
  isTrusted?: boolean
}

export type Limiter = <T>(priority: Priority, work: () => Promise<T>) => Promise<T>

/** Returns a function that runs work within the limit. It throws ApiError('rate-limited') if the queue is full. */
export function createLimiter({ concurrency, maxQueued }: LimiterOptions): Limiter {
  const queues = { trusted: [] as (() => void)[], others: [] as (() => void)[] }
  let running = 0
  let wasTrusted = false

  return async ({ isTrusted = false }, work) => {
    if (running >= concurrency) {
      const queue = isTrusted ? queues.trusted : queues.others
      if (queue.length >= maxQueued) throw new ApiError('rate-limited', {}, 1)
      // The work that finishes passes its slot on, so `running` stays the same.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = dequeue()
      if (next === undefined) running -= 1
      else next()
    }
  }

  /** Takes from the two queues alternately, so that neither delays the other by more than one call. */
  function dequeue(): (() => void) | undefined {
    const [first, second] = wasTrusted ? [queues.others, queues.trusted] : [queues.trusted, queues.others]
    const queue = first.length > 0 ? first : second
    wasTrusted = queue === queues.trusted
    return queue.shift()
  }
}
