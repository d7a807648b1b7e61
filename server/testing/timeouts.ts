import { vi } from 'vitest'

// Long, because a busy machine is slow. The default is one second.
const { waitFor } = vi
vi.waitFor = (callback, options = 60_000) => waitFor(callback, options)
