import { afterEach, beforeEach, expect, vi } from 'vitest'

// Any unexpected console output fails the test, because it would go unnoticed otherwise. A test that expects output
// installs its own spy.
beforeEach(() => {
  const noise: unknown[][] = []
  const record = (...args: unknown[]) => {
    noise.push(args)
  }
  const spies = [
    vi.spyOn(console, 'error').mockImplementation(record),
    vi.spyOn(console, 'warn').mockImplementation(record),
  ]
  afterEachNoise = () => {
    for (const spy of spies) spy.mockRestore()
    expect(noise, 'unexpected console output').toEqual([])
  }
})

let afterEachNoise = () => {}
afterEach(() => afterEachNoise())
