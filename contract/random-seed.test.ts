import { expect, test } from 'vitest'
import { createSeed } from './random-seed.ts'

const seedsOf = (second: number) =>
  new Set(Array.from({ length: 1000 }, (_, n) => createSeed(second * 1000 + n)))

test('the seeds of a second are among 16, and those of the next second are others', () => {
  const [now, later] = [seedsOf(1_760_000_000), seedsOf(1_760_000_001)]
  expect(now.size).toBe(16)
  expect(new Set([...now, ...later]).size).toBe(32)
})

test('seeds are integers of 31 bits in all parts of the range', () => {
  const seeds = Array.from({ length: 1000 }, (_, n) => [...seedsOf(1_760_000_000 + n)]).flat()
  for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed <= 2_147_483_647).toBe(true)
  const parts = new Set(seeds.map((seed) => Math.floor(seed / 2 ** 21)))
  expect(parts.size).toBe(1024)
})
