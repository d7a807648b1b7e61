import { cleanup, render } from '@testing-library/react'
import { beforeAll, vi } from 'vitest'

/** Renders the element `search` once before the tests of a file, because React logs once that jsdom does not know it. */
export function expectSearchElement(): void {
  beforeAll(() => {
    const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
    render(<search />)
    cleanup()
    consoleError.mockRestore()
  })
}
