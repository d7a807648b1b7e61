import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dismissToast, toast } from './toast.tsx'
import { Toaster } from './toaster.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
  cleanup()
})

it('shows a toast for six seconds', () => {
  render(<Toaster />)
  act(() => void toast('Link copied.'))
  expect(screen.getByText('Link copied.')).toBeTruthy()
  act(() => void vi.advanceTimersByTime(6_000))
  expect(screen.queryByText('Link copied.')).toBeNull()
})

it('shows a toast longer if it has an action, which an empty list of them is not', () => {
  render(<Toaster />)
  act(() => void toast('Changed.', { action: [] }))
  act(() => void toast('Deleted.', { action: { label: 'Undo', run: () => undefined } }))
  act(() => void vi.advanceTimersByTime(6_000))
  expect(screen.queryByText('Changed.')).toBeNull()
  expect(screen.getByText('Deleted.')).toBeTruthy()
  act(() => void vi.advanceTimersByTime(4_000))
  expect(screen.queryByText('Deleted.')).toBeNull()
})

it('keeps a toast while it has the focus', () => {
  render(<Toaster />)
  act(() => void toast('Deleted.', { action: { label: 'Undo', run: () => undefined } }))
  screen.getByRole('button', { name: 'Undo' }).focus()
  act(() => void vi.advanceTimersByTime(60_000))
  screen.getByRole('button', { name: 'Undo' }).blur()
  act(() => void vi.advanceTimersByTime(2_000))
  expect(screen.queryByText('Deleted.')).toBeNull()
})

it('runs the action of a toast and can dismiss it early', () => {
  const undo = vi.fn()
  render(<Toaster />)
  act(() => void toast('Deleted.', { action: { label: 'Undo', run: undo } }))
  act(() => screen.getByRole('button', { name: 'Undo' }).click())
  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByText('Deleted.')).toBeNull()
  act(() => dismissToast(toast('Never mind.')))
  expect(screen.queryByText('Never mind.')).toBeNull()
})

/** Shows a toast and moves the focus to its button, from the element with a label. */
function focusToast(from: string, button: string, run = () => {}) {
  render(
    <>
      <main tabIndex={-1}>
        <button type="button">Delete</button>
      </main>
      <Toaster />
    </>,
  )
  act(() => void toast('Deleted.', { action: { label: 'Undo', run } }))
  act(() => screen.getByRole('button', { name: from }).focus())
  act(() => screen.getByRole('button', { name: button }).focus())
}

it.each(['Undo', 'Dismiss'])('returns the focus to where it was when %s is pressed', (button) => {
  focusToast('Delete', button)
  act(() => screen.getByRole('button', { name: button }).click())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete' }))
})

it('moves the focus to the page if what had it was removed', () => {
  focusToast('Delete', 'Undo')
  screen.getByRole('button', { name: 'Delete' }).remove()
  act(() => screen.getByRole('button', { name: 'Undo' }).click())
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

it('leaves the focus where the action moved it', () => {
  focusToast('Delete', 'Undo', () => screen.getByRole('main').focus())
  act(() => screen.getByRole('button', { name: 'Undo' }).click())
  expect(document.activeElement).toBe(screen.getByRole('main'))
})
