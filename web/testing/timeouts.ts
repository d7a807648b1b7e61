import { configure, getConfig } from '@testing-library/react'

const { asyncWrapper } = getConfig()
// Before a test puts a clock of its own in their place.
const { setTimeout, setImmediate } = globalThis

/** What the last change sets off has happened: effects, the focus they move, what waited for the next tick. */
async function waitForEffects(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) {
    await new Promise((done) => setTimeout(done))
    await new Promise((done) => setImmediate(done))
  }
}

configure({
  // A busy machine is slow, not wrong: what is loaded late may take longer than the usual second.
  asyncUtilTimeout: 15_000,
  // After what was waited for, and after what a person did: a test looks when a person would.
  asyncWrapper: (act) =>
    asyncWrapper(async () => {
      const outcome = await act()
      await waitForEffects()
      return outcome
    }),
})
