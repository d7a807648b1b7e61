import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeDialogs } from '../testing/fake-dialogs.ts'
import { Dialog } from './dialog.tsx'
import { Field, Input } from './field.tsx'

beforeEach(fakeDialogs)
afterEach(cleanup)

function renderDialog() {
  const onClose = vi.fn()
  render(
    <Dialog open onClose={onClose} title="Edit">
      <Field label="Title">
        <Input />
      </Field>
    </Dialog>,
  )
  return { onClose, outside: screen.getByRole('dialog'), title: screen.getByLabelText('Title') }
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
