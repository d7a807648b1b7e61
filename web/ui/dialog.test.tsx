import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeDialogs, pressEscape } from '../testing/fake-dialogs.ts'
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

it('does not close on a click outside after input, but still on Escape and Close if the input is not in a form', () => {
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

/** A dialog with a form, as its owner renders it: it closes on request. */
function FormDialog({ canDiscard = false }) {
  const [open, setOpen] = useState(true)
  const [isSent, setSent] = useState(false)
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Edit" canDiscard={canDiscard}>
      {isSent ? (
        'Saved.'
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setSent(true)
          }}
        >
          <input aria-label="Find" type="search" />
          <input aria-label="Title" data-autofocus defaultValue="Sintel" />
          <input aria-label="Private" type="checkbox" />
        </form>
      )}
    </Dialog>
  )
}

const editDialog = () => screen.queryByRole('dialog', { name: 'Edit' })
const question = () => screen.queryByRole('dialog', { name: 'Discard changes?' })
const titleField = () => screen.getByLabelText('Title')
const pressClose = () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))

function openFormDialog(canDiscard = false): HTMLElement {
  render(<FormDialog canDiscard={canDiscard} />)
  return screen.getByRole('dialog', { name: 'Edit' })
}

it('asks on Escape and Close before it discards input, and returns to the field', () => {
  const dialog = openFormDialog()
  fireEvent.input(titleField(), { target: { value: 'The long tide' } })
  fireEvent(dialog, new Event('cancel', { cancelable: true }))
  const prompt = within(screen.getByRole('dialog', { name: 'Discard changes?' }))
  expect(document.activeElement).toBe(prompt.getByRole('button', { name: 'Continue editing' }))
  fireEvent.click(prompt.getByRole('button', { name: 'Continue editing' }))
  expect(question()).toBeNull()
  expect(document.activeElement).toBe(titleField())
  expect(titleField()).toHaveProperty('value', 'The long tide')
  pressClose()
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(question()).toBeNull()
  expect(editDialog()).toBeNull()
})

it('asks when a choice was changed, and Escape in the question closes only the question', () => {
  openFormDialog()
  fireEvent.click(screen.getByLabelText('Private'))
  fireEvent.input(screen.getByLabelText('Private'))
  pressClose()
  act(() => pressEscape(screen.getByRole('dialog', { name: 'Discard changes?' })))
  expect(question()).toBeNull()
  expect(editDialog()).not.toBeNull()
})

it.each<[string, () => void]>([
  [
    'the input equals the initial values',
    () => fireEvent.input(titleField(), { target: { value: 'Sintel' } }),
  ],
  [
    'only a search was typed',
    () => fireEvent.input(screen.getByLabelText('Find'), { target: { value: 'sea' } }),
  ],
  [
    'a value was loaded before the input, which was taken back',
    () => {
      Object.assign(titleField(), { value: 'Loaded' })
      fireEvent.keyDown(titleField(), { key: 'x' })
      fireEvent.input(titleField(), { target: { value: 'Loadedx' } })
      fireEvent.input(titleField(), { target: { value: 'Loaded' } })
    },
  ],
  [
    'the form was sent',
    () => {
      fireEvent.input(titleField(), { target: { value: 'The long tide' } })
      fireEvent.submit(titleField())
    },
  ],
])('closes without a question if %s', (_, enter) => {
  openFormDialog()
  fireEvent.focus(titleField())
  enter()
  pressClose()
  expect(question()).toBeNull()
  expect(editDialog()).toBeNull()
})

it('closes without a question if nothing is lost by it', () => {
  openFormDialog(true)
  fireEvent.input(titleField(), { target: { value: 'The long tide' } })
  pressClose()
  expect(editDialog()).toBeNull()
})

it('asks if the browser closes it, and opens again below the question', () => {
  const dialog = openFormDialog() as HTMLDialogElement
  fireEvent.input(titleField(), { target: { value: 'The long tide' } })
  act(() => dialog.close())
  expect(dialog.open).toBe(true)
  expect(question()).not.toBeNull()
})
