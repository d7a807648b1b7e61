import { describe, expect, test } from 'vitest'
import { createProcessBuckets } from './process-buckets.ts'

const limit = { tokens: 5, seconds: 50 }

function bucketsAt() {
  const clock = { ms: 0 }
  const buckets = createProcessBuckets(() => clock.ms)
  const wait = (key = 'a', scale = 1) => buckets.consume(key, limit, scale)
  return { clock, wait }
}

describe('a bucket of a process', () => {
  test('is empty after as many calls as it has tokens, and names the seconds until the next', () => {
    const { clock, wait } = bucketsAt()
    expect(Array.from({ length: 6 }, () => wait())).toEqual([0, 0, 0, 0, 0, 10])
    clock.ms = 4_000
    expect(wait()).toBeCloseTo(6)
    clock.ms = 10_000
    expect([wait(), wait()]).toEqual([0, 10])
    expect(wait('b')).toBe(0)
  })

  test('refills up to its size', () => {
    const { clock, wait } = bucketsAt()
    for (let n = 0; n < 5; n++) wait()
    clock.ms = 10_000_000
    expect(Array.from({ length: 6 }, () => wait())).toEqual([0, 0, 0, 0, 0, 10])
  })

  test('is multiplied by the scale, and off at scale 0', () => {
    const { wait } = bucketsAt()
    expect(Array.from({ length: 11 }, () => wait('a', 2)).filter((seconds) => seconds === 0)).toHaveLength(10)
    expect([wait('b', 0.001), wait('b', 0.001)]).toEqual([0, 50])
    expect(Array.from({ length: 100 }, () => wait('c', 0))).toEqual(Array(100).fill(0))
  })

  test('is forgotten when 50,000 others were used after it, and not before', () => {
    const { wait } = bucketsAt()
    for (let n = 0; n < 5; n++) {
      wait('first')
      wait('second')
    }
    for (let n = 0; n < 49_999; n++) wait(`other ${n}`)
    expect(wait('second')).toBe(10)
    expect(wait('first')).toBe(0)
  })
})
