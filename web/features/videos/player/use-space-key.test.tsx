import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { setSingleKeyShortcuts } from '../../../ui/shortcuts.ts'
import { useSpaceKey } from './use-space-key.ts'

afterEach(() => {
  cleanup()
  setSingleKeyShortcuts(true)
})

function Page({ onSpace }: { onSpace: (() => void) | null }) {
  useSpaceKey(onSpace)
  return (
    <>
      <h1 tabIndex={-1}>Heading</h1>
      <button type="button">Button</button>
      <a href="/explore">Explore</a>
      <input type="text" aria-label="Field" />
      <input type="checkbox" aria-label="Checkbox" />
      <textarea aria-label="Text" />
      <details>
        <summary>Summary</summary>
      </details>
      <div role="option" aria-selected="false" tabIndex={0}>
        Option
      </div>
      <dialog open>
        <p tabIndex={-1}>Dialog</p>
      </dialog>
    </>
  )
}

/** Presses Space, and returns whether the browser would do what it does for that key. */
function pressSpace(target: Element, init: KeyboardEventInit = {}): boolean {
  return target.dispatchEvent(
    new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true, ...init }),
  )
}

test('the space bar belongs to the player when nothing or a heading has the focus, and does not scroll', () => {
  const onSpace = vi.fn()
  render(<Page onSpace={onSpace} />)
  expect(pressSpace(document.body)).toBe(false)
  expect(pressSpace(screen.getByRole('heading'))).toBe(false)
  expect(onSpace).toHaveBeenCalledTimes(2)
})

test.each(['Button', 'Explore', 'Field', 'Checkbox', 'Text', 'Summary', 'Option', 'Dialog'])(
  'the space bar keeps its meaning in %s',
  (name) => {
    const onSpace = vi.fn()
    render(<Page onSpace={onSpace} />)
    const element = screen.queryByLabelText(name) ?? screen.getByText(name)
    expect(pressSpace(element)).toBe(true)
    expect(onSpace).not.toHaveBeenCalled()
  },
)

test('a field takes the space that is typed into it', async () => {
  const onSpace = vi.fn()
  render(<Page onSpace={onSpace} />)
  await userEvent.type(screen.getByLabelText('Field'), 'a b')
  expect(screen.getByLabelText<HTMLInputElement>('Field').value).toBe('a b')
  expect(onSpace).not.toHaveBeenCalled()
})

test('a held key counts once, and combinations with other keys belong to the browser', () => {
  const onSpace = vi.fn()
  render(<Page onSpace={onSpace} />)
  pressSpace(document.body)
  for (const init of [{ repeat: true }, { ctrlKey: true }, { altKey: true }, { metaKey: true }])
    expect(pressSpace(document.body, init)).toBe(true)
  expect(onSpace).toHaveBeenCalledTimes(1)
})

test('the space bar scrolls without a player, and if shortcuts of one key are off', () => {
  const onSpace = vi.fn()
  const { rerender } = render(<Page onSpace={null} />)
  expect(pressSpace(document.body)).toBe(true)
  rerender(<Page onSpace={onSpace} />)
  setSingleKeyShortcuts(false)
  expect(pressSpace(document.body)).toBe(true)
  expect(onSpace).not.toHaveBeenCalled()
})
