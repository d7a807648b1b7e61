import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useLongPress } from './use-long-press.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const onMenuClick = vi.fn()

/** A card whose long press opens a menu under the pointer. */
function CardWithMenu() {
  const [isOpen, setOpen] = useState(false)
  const press = useLongPress(() => setOpen(true))
  return (
    <>
      <div {...press}>Card</div>
      {isOpen && (
        <button type="button" onClick={onMenuClick}>
          Menu
        </button>
      )}
    </>
  )
}

test('lifting the finger after a long press does not click what opened under it', async () => {
  render(<CardWithMenu />)
  const finger = { pointerType: 'touch', isPrimary: true }
  fireEvent.pointerDown(screen.getByText('Card'), finger)
  await vi.waitFor(() => screen.getByText('Menu'))
  fireEvent.pointerUp(screen.getByText('Card'), finger)
  const menu = screen.getByText('Menu')
  fireEvent.click(menu)
  expect(onMenuClick).not.toHaveBeenCalled()
  fireEvent.pointerDown(menu, finger)
  fireEvent.click(menu)
  expect(onMenuClick).toHaveBeenCalledOnce()
})
