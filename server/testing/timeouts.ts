import { vi } from 'vitest'

const { waitFor } = vi

const waitForAMinute: typeof vi.waitFor = (callback, options = 60_000) => waitFor(callback, options)

// A minute instead of one second, because a busy machine is slow. Replaced only once, because test files share a worker.
if (waitFor.name !== waitForAMinute.name) vi.waitFor = waitForAMinute
