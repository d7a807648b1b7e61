export type Chance = (below: number) => number

/** Returns a function that returns random integers from 0 to below its argument, in the same sequence for the same seed. */
export function createChance(seed: number): Chance {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}
