/**
 * Returns a function that runs work at once, but at most one piece in each turn of the event loop. If many clients write at the same moment, such
 * as 200 who log in, those who read are answered in between.
 */
export function createPacer(): (work: () => void) => void {
  const waiting: (() => void)[] = []
  let isPaced = false
  function runNext(): void {
    const work = waiting.shift()
    if (work === undefined) {
      isPaced = false
      return
    }
    setImmediate(runNext)
    work()
  }
  return (work) => {
    waiting.push(work)
    if (isPaced) return
    isPaced = true
    runNext()
  }
}
