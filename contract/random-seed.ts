const seedsPerSecond = 16

/**
 * Returns a seed for `sort=random`, an integer from 0 to 2^31 - 1. All seeds of one second are among 16, so that users who
 * open a random list at the same time share cached responses; those of the next second are others.
 */
export function createSeed(now = Date.now()): number {
  const number = Math.floor(now / 1000) * seedsPerSecond + Math.floor(Math.random() * seedsPerSecond)
  // 2^32 divided by the golden ratio: consecutive numbers result in seeds far apart.
  return Math.imul(number, 0x9e3779b1) >>> 1
}
