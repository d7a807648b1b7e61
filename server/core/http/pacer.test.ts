import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPacer } from './pacer.ts'

test('the first work runs at once, and each further one in a turn of its own, in order', async () => {
  const pace = createPacer()
  const done: number[] = []
  for (const n of [1, 2, 3]) pace(() => done.push(n))
  expect(done).toEqual([1])
  await nextTurn()
  expect(done).toEqual([1, 2])
  pace(() => done.push(4))
  await nextTurn()
  expect(done).toEqual([1, 2, 3])
  await nextTurn()
  expect(done).toEqual([1, 2, 3, 4])
  await nextTurn()
  pace(() => done.push(5))
  expect(done).toEqual([1, 2, 3, 4, 5])
})

test('work that throws does not hold back what waits', async () => {
  const pace = createPacer()
  const done: number[] = []
  const failing = () => {
    throw new Error('failed')
  }
  expect(() => pace(failing)).toThrow('failed')
  pace(() => done.push(1))
  await nextTurn()
  expect(done).toEqual([1])
})
