import { vi } from 'vitest'

<<<<<<< HEAD
=======
// Long, because a busy machine is slow. The default is one second.
>>>>>>> main
const { waitFor } = vi

const waitForAMinute: typeof vi.waitFor = (callback, options = 60_000) => waitFor(callback, options)

// A busy machine is slow, not wrong: a result may take longer than the usual second. Several test files share a worker.
if (waitFor.name !== waitForAMinute.name) vi.waitFor = waitForAMinute
