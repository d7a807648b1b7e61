import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { ReorderList } from './reorder-list.tsx'

afterEach(cleanup)

const titles = ['Anchors', 'Boats', 'Cliffs', 'Dunes']

function TestList() {
  const [items, setItems] = useState(titles.map((name, index) => ({ id: index + 1, name })))
  return <ReorderList label="Films" items={items} onChange={setItems} />
}

const order = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const grip = (name: string) => screen.getByRole('button', { name: `Drag ${name}` })

/** Presses keys on the handle of an item without a pause between them. */
function pressAtOnce(name: string, keys: readonly string[]): void {
  const handle = grip(name)
  handle.focus()
  for (const key of keys) fireEvent.keyDown(handle, { key, code: key === ' ' ? 'Space' : key })
}

test.for([
  [[' ', 'ArrowUp', 'ArrowUp', ' '], ['Anchors', 'Dunes', 'Boats', 'Cliffs'], 'Dropped Dunes, 2 of 4'],
  [
    [' ', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'Enter'],
    ['Anchors', 'Boats', 'Dunes', 'Cliffs'],
    'Dropped Dunes, 3 of 4',
  ],
  [
    [' ', 'ArrowUp', ' ', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter'],
    ['Dunes', 'Anchors', 'Boats', 'Cliffs'],
    'Dropped Dunes, 1 of 4',
  ],
  [
    [' ', 'ArrowDown', ...Array.from({ length: 9 }, () => 'ArrowUp'), ' '],
    ['Dunes', 'Anchors', 'Boats', 'Cliffs'],
    'Dropped Dunes, 1 of 4',
  ],
  [[' ', 'ArrowUp', 'ArrowUp', 'Escape'], titles, 'Dunes was not moved'],
  [['ArrowUp', 'ArrowUp'], titles, ''],
] as const)('every key counts, however fast they are pressed: %j', ([keys, expected, announced]) => {
  render(<TestList />)
  pressAtOnce('Dunes', keys)
  expect(order()).toEqual(expected)
  expect(document.querySelector('[aria-live=assertive].sr-only')?.textContent).toBe(announced)
  expect(document.activeElement).toBe(grip('Dunes'))
})

test('an item that was picked up moves with the keys and returns to its place when the focus leaves it', () => {
  render(<TestList />)
  pressAtOnce('Dunes', [' ', 'ArrowUp'])
  expect(order()).toEqual(['Anchors', 'Boats', 'Dunes', 'Cliffs'])
  expect(grip('Dunes').getAttribute('aria-pressed')).toBe('true')
  act(() => grip('Boats').focus())
  expect(order()).toEqual(titles)
  expect(screen.getByText('Dunes was not moved')).toBeTruthy()
})
