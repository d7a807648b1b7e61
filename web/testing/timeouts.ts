import { configure, getConfig } from '@testing-library/react'

const { asyncWrapper } = getConfig()
// Keeps the real timers, in case a test installs fake ones.
const { setTimeout, setImmediate } = globalThis

/** Waits until effects of the last change have run, including focus changes and work scheduled for the next tick. */
async function waitForEffects(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await new Promise((done) => setTimeout(done))
    await new Promise((done) => setImmediate(done))
  }
}

/** Runs Testing Library's own wrapper and then waits for the effects of the wait or user action. */
const wrapWithEffects: typeof asyncWrapper = (act) =>
  asyncWrapper(async () => {
    const outcome = await act()
    await waitForEffects()
    return outcome
  })

// Test files that share a worker share Testing Library's configuration, so the wrapper is installed only once.
if (asyncWrapper.name !== wrapWithEffects.name) {
  configure({
    // Long, because a busy machine is slow to load lazy modules.
    asyncUtilTimeout: 15_000,
    asyncWrapper: wrapWithEffects,
  })
}
