/** Work that only so much of is done at a time in one process; the rest waits in line, in the order it came. */
import { ApiError } from './errors.ts'

interface Terms {
  atOnce: number
  /** How many may wait in each line. */
  lineLength: number
}

interface Whose {
  /** They wait in a line of their own, so that a flood of strangers does not turn the owners of accounts away. */
  isTrusted?: boolean
}

export type InTurn = <T>(whose: Whose, work: () => Promise<T>) => Promise<T>

/** @returns what does work in turn; it throws ApiError('too-many') where the line is full. */
export function takingTurns({ atOnce, lineLength }: Terms): InTurn {
  const lines = { trusted: [] as (() => void)[], others: [] as (() => void)[] }
  let running = 0
  let wasTrusted = false

  return async ({ isTrusted = false }, work) => {
    if (running >= atOnce) {
      const line = isTrusted ? lines.trusted : lines.others
      if (line.length >= lineLength) throw new ApiError('too-many', {}, 1)
      // Whoever finishes hands its place on: `running` stays as it is.
      await new Promise<void>((resolve) => line.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = nextInLine()
      if (next === undefined) running -= 1
      else next()
    }
  }

  /** The lines take turns: neither holds the other up for longer than one piece of work. */
  function nextInLine(): (() => void) | undefined {
    const [first, second] = wasTrusted ? [lines.others, lines.trusted] : [lines.trusted, lines.others]
    const line = first.length > 0 ? first : second
    wasTrusted = line === lines.trusted
    return line.shift()
  }
}
