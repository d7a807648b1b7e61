import { configure, getConfig } from '@testing-library/react'

const { asyncWrapper } = getConfig()
// Before a test replaces them with fake timers.
const { setTimeout, setImmediate } = globalThis

/** Waits until the effects of the last change have run: the focus they move, and what they left for the next tick. */
async function waitForEffects(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) {
    await new Promise((done) => setTimeout(done))
    await new Promise((done) => setImmediate(done))
  }
}

/** Calls Testing Library's own wrapper and waits for the effects, so that a test looks when a person would. */
const wrapWithEffects: typeof asyncWrapper = (act) =>
  asyncWrapper(async () => {
    const outcome = await act()
    await waitForEffects()
    return outcome
  })

// Several test files share a worker, and with it Testing Library's configuration.
if (asyncWrapper.name !== wrapWithEffects.name) {
  configure({
    // A busy machine is slow, not wrong: what is loaded late may take longer than the usual second.
    asyncUtilTimeout: 15_000,
    asyncWrapper: wrapWithEffects,
  })
}
