import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeDialogs } from '../testing/fake-dialogs.ts'
import { Dialog } from './dialog.tsx'
import { Field, Input } from './field.tsx'

beforeEach(fakeDialogs)
afterEach(cleanup)

const touchAt = (clientX: number, clientY: number) => ({ touches: [{ clientX, clientY }] })

function renderDialog(kind: 'normal' | 'side' = 'normal') {
  const onClose = vi.fn()
  render(
    <Dialog open onClose={onClose} title="Edit" kind={kind}>
      <Field label="Title">
        <Input />
      </Field>
    </Dialog>,
  )
  const heading = screen.getByRole('heading', { name: 'Edit' })
  const swipe = (dx: number, dy: number) => {
    fireEvent.touchStart(heading, touchAt(0, 0))
    fireEvent.touchMove(heading, touchAt(dx / 2, dy / 2))
    fireEvent.touchMove(heading, touchAt(dx, dy))
    fireEvent.touchEnd(heading)
  }
  return {
    onClose,
    outside: screen.getByRole('dialog'),
    title: screen.getByLabelText('Title'),
    heading,
    swipe,
  }
}

it('closes on a click outside, but not when a text selection ends outside', () => {
  const { onClose, outside, title } = renderDialog()
  fireEvent.pointerDown(title)
  fireEvent.click(outside)
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.pointerDown(outside)
  fireEvent.click(outside)
  expect(onClose).toHaveBeenCalledOnce()
})

it('does not close on a click outside after input, but still on Escape and Close', () => {
  const { onClose, outside, title } = renderDialog()
  fireEvent.input(title, { target: { value: 'The long tide' } })
  fireEvent.pointerDown(outside)
  fireEvent.click(outside)
  expect(onClose).not.toHaveBeenCalled()
  fireEvent(outside, new Event('cancel', { cancelable: true }))
  screen.getByRole('button', { name: 'Close' }).click()
  expect(onClose).toHaveBeenCalledTimes(2)
})

it.each([
  ['a long swipe to the right closes', 120, 0, true],
  ['a swipe down does not', 30, 90, false],
  ['a short swipe does not', 24, 0, false],
])('at the right edge, %s', (_, dx, dy, closes) => {
  const { onClose, swipe } = renderDialog('side')
  swipe(dx, dy)
  expect(onClose).toHaveBeenCalledTimes(closes ? 1 : 0)
})

it('a swipe does not close after input, or if the browser takes it over', () => {
  const { onClose, swipe, title, heading } = renderDialog('side')
  fireEvent.touchStart(heading, touchAt(0, 0))
  fireEvent.touchMove(heading, touchAt(120, 0))
  fireEvent.touchCancel(heading)
  fireEvent.touchEnd(heading)
  fireEvent.input(title, { target: { value: 'The long tide' } })
  swipe(120, 0)
  expect(onClose).not.toHaveBeenCalled()
})

it('stays open if the event of an earlier closing arrives after it was opened again', () => {
  const { onClose, outside } = renderDialog()
  fireEvent(outside, new Event('close'))
  expect(onClose).not.toHaveBeenCalled()
})

it('asks its owner if the browser closes it, and opens again at the same field if the owner keeps it', async () => {
  const onClose = vi.fn()
  render(
    <Dialog open onClose={onClose} title="Edit">
      <input aria-label="Title" data-autofocus />
    </Dialog>,
  )
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  dialog.close()
  expect(onClose).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(dialog.open).toBe(true))
  expect(document.activeElement).toBe(screen.getByLabelText('Title'))
})
