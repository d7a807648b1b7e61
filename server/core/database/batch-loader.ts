/** Combines the lookups of concurrent requests into one statement. */

interface Waiting<Key, Value> {
  key: Key
  resolve: (value: Value) => void
  reject: (error: unknown) => void
}

/** More statements of one kind at the same time would not be faster, and would make the batches smaller. */
const maxRunning = 2

/** Limits the size of a statement. */
const maxBatch = 100

/**
 * Returns a function that looks up one key. Keys of the same turn of the event loop are loaded together. While one batch
 * is running, keys wait until they are as many as the keys of that batch. While two are running, keys wait until one ends.
 * Under load, few large statements take less time than many small ones. A single request waits for nothing. If a batch fails,
 * each of its lookups fails.
 * @param load returns the values in the order of the keys
 */
export function createBatchLoader<Key, Value>(
  load: (keys: Key[]) => Promise<Value[]>,
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = []
  let running = 0
  let runningKeys = 0
  let isScheduled = false

  async function run(batch: Waiting<Key, Value>[]): Promise<void> {
    running += 1
    runningKeys += batch.length
    try {
      const values = await load(batch.map(({ key }) => key))
      for (const [n, { resolve }] of batch.entries()) resolve(values[n] as Value)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      running -= 1
      runningKeys -= batch.length
      start()
    }
  }

  const mayStart = () => running < maxRunning && waiting.length > 0 && waiting.length >= runningKeys

  function start(): void {
    isScheduled = false
    while (mayStart()) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      void run(batch)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (isScheduled || !mayStart()) return
      isScheduled = true
      setImmediate(start)
    })
}
