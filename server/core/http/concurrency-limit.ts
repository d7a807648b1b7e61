/** Work that only so much of is done at a time in one process; the rest waits in line, in the order it came. */
import { ApiError } from './errors.ts'

interface LimiterOptions {
  concurrency: number
  /** How many may wait in each line. */
  maxQueued: number
}

interface Priority {
  /** They wait in a line of their own, so that a flood of strangers does not turn the owners of accounts away. */
  isTrusted?: boolean
}

export type Limiter = <T>(priority: Priority, work: () => Promise<T>) => Promise<T>

/** @returns what does work in turn; it throws ApiError('rate-limited') where the line is full. */
export function createLimiter({ concurrency, maxQueued }: LimiterOptions): Limiter {
  const queues = { trusted: [] as (() => void)[], others: [] as (() => void)[] }
  let running = 0
  let wasTrusted = false

  return async ({ isTrusted = false }, work) => {
    if (running >= concurrency) {
      const queue = isTrusted ? queues.trusted : queues.others
      if (queue.length >= maxQueued) throw new ApiError('rate-limited', {}, 1)
      // Whoever finishes hands its place on: `running` stays as it is.
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

  /** The lines take turns: neither holds the other up for longer than one piece of work. */
  function dequeue(): (() => void) | undefined {
    const [first, second] = wasTrusted ? [queues.others, queues.trusted] : [queues.trusted, queues.others]
    const queue = first.length > 0 ? first : second
    wasTrusted = queue === queues.trusted
    return queue.shift()
  }
}
