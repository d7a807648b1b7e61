import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useLongPress } from './use-long-press.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const clicked = vi.fn()

/** What a long press opens lies where the finger is. */
function Held() {
  const [isOpen, setOpen] = useState(false)
  const press = useLongPress(() => setOpen(true))
  return (
    <>
      <div {...press}>Card</div>
      {isOpen && (
        <button type="button" onClick={clicked}>
          Menu
        </button>
      )}
    </>
  )
}

test('lifting the finger presses nothing of what its holding opened; the next press does', async () => {
  render(<Held />)
  const finger = { pointerType: 'touch', isPrimary: true }
  fireEvent.pointerDown(screen.getByText('Card'), finger)
  await vi.waitFor(() => screen.getByText('Menu'))
  fireEvent.pointerUp(screen.getByText('Card'), finger)
  const menu = screen.getByText('Menu')
  fireEvent.click(menu)
  expect(clicked).not.toHaveBeenCalled()
  fireEvent.pointerDown(menu, finger)
  fireEvent.click(menu)
  expect(clicked).toHaveBeenCalledOnce()
})
