import { afterEach, beforeEach, expect, vi } from 'vitest'

// A warning nobody looks at is a bug nobody looks at: what a test does not expect on the console fails it.
// A test that does expect something takes over with a spy of its own.
beforeEach(() => {
  const noise: unknown[][] = []
  const saveTo = (...words: unknown[]) => {
    noise.push(words)
  }
  const spies = [
    vi.spyOn(console, 'error').mockImplementation(saveTo),
    vi.spyOn(console, 'warn').mockImplementation(saveTo),
  ]
  afterEachNoise = () => {
    for (const spy of spies) spy.mockRestore()
    expect(noise, 'unexpected words on the console').toEqual([])
  }
})

let afterEachNoise = () => {}
afterEach(() => afterEachNoise())
