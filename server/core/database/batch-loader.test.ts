import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

function createSquares() {
  const batches: number[][] = []
  const load = createBatchLoader(async (numbers: number[]) => {
    batches.push(numbers)
    await sleep(20)
    if (numbers.includes(13)) throw new Error('unlucky')
    return numbers.map((number) => number ** 2)
  })
  return { batches, load }
}

/** Returns a loader whose batches run until `end` is called. */
function createWaitingBatches() {
  const batches: number[][] = []
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const load = createBatchLoader(async (numbers: number[]) => {
    batches.push(numbers)
    await isOver
    return numbers
  })
  return { batches, load, end }
}

test('concurrent lookups are one batch, and each gets its own value', async () => {
  const { batches, load } = createSquares()
  expect(await Promise.all([3, 1, 2].map(load))).toEqual([9, 1, 4])
  expect(batches).toEqual([[3, 1, 2]])
})

test('while two batches are running, lookups wait for the next one', async () => {
  const { batches, load, end } = createWaitingBatches()
  const lookups: Promise<number>[] = []
  for (let n = 0; n < 6; n++) {
    lookups.push(load(n))
    await sleep(1)
  }
  expect(batches).toEqual([[0], [1]])
  end()
  expect(await Promise.all(lookups)).toEqual([0, 1, 2, 3, 4, 5])
  expect(batches).toEqual([[0], [1], [2, 3, 4, 5]])
})

test('while a large batch is running, lookups wait until there are as many', async () => {
  const { batches, load, end } = createWaitingBatches()
  const lookups = [1, 2, 3].map(load)
  await sleep(1)
  for (const number of [4, 5]) {
    lookups.push(load(number))
    await sleep(1)
  }
  expect(batches).toEqual([[1, 2, 3]])
  lookups.push(load(6))
  await sleep(1)
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
  end()
  expect(await Promise.all(lookups)).toEqual([1, 2, 3, 4, 5, 6])
})

test('a batch has at most a hundred lookups', async () => {
  const { batches, load } = createSquares()
  const numbers = Array.from({ length: 250 }, (_, n) => n + 100)
  expect(await Promise.all(numbers.map(load))).toEqual(numbers.map((number) => number ** 2))
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50])
})

test('a failed batch fails its own lookups and no later one', async () => {
  const { load } = createSquares()
  const failed = await Promise.allSettled([13, 4].map(load))
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load(5)).toBe(25)
})
