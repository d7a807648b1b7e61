import { vi } from 'vitest'

// A busy machine is slow, not wrong: what is waited for may take longer than the usual second.
const { waitFor } = vi
vi.waitFor = (callback, options = 60_000) => waitFor(callback, options)
