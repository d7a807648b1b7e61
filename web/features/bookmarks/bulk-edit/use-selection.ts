import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import {
  deselect,
  emptySelection,
  extendByArrow,
  extendRange,
  type Selectable,
  selectAll,
  toggleItem,
} from './selection.ts'

/** Returns the number of items per row, by which the arrows up and down move. */
function columnCount(list: Element): number {
  const { display, gridTemplateColumns } = getComputedStyle(list)
  return display === 'grid' ? gridTemplateColumns.split(' ').length : 1
}

/**
 * Selects items by checkboxes, one of which is in the tab order; arrow keys move to the others. Shift extends the range
 * with arrows, Space or a click; Ctrl or Cmd with A selects all items shown. The selection survives page changes.
 * @param first selected at the beginning
 */
export function useSelection(items: readonly Selectable[], first: Selectable | null = null) {
  const [selection, setSelection] = useState(() =>
    first === null ? emptySelection : toggleItem(emptySelection, first),
  )
  const [focusedIndex, setFocusedIndex] = useState(() =>
    Math.max(
      0,
      items.findIndex(({ id }) => id === first?.id),
    ),
  )
  const list = useRef<HTMLUListElement>(null)
  const current = Math.min(focusedIndex, Math.max(0, items.length - 1))

  const checkboxAt = (index: number) => list.current?.querySelectorAll<HTMLInputElement>('input')[index]

  function onArrowKey(from: number, event: KeyboardEvent<HTMLInputElement>): void {
    const columns = list.current === null ? 1 : columnCount(list.current)
    const targetIndexes: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from - columns,
      ArrowDown: from + columns,
      Home: 0,
      End: items.length - 1,
    }
    const to = targetIndexes[event.key]
    const [item, target] = [items[from], items[to ?? -1]]
    if (to === undefined || item === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (target === undefined) return
    checkboxAt(to)?.focus()
    if (event.shiftKey) setSelection((now) => extendByArrow(now, items, item.id, target.id))
  }

  /** Returns the props of the checkbox of an item. */
  const checkboxProps = (index: number) => {
    const item = items[index] ?? { id: 0, title: '' }
    return {
      type: 'checkbox' as const,
      checked: selection.selected.has(item.id),
      tabIndex: index === current ? 0 : -1,
      onFocus: () => setFocusedIndex(index),
      onChange: ({ nativeEvent }: { nativeEvent: Event }) => {
        const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
        setSelection((now) => (isRange ? extendRange(now, items, item.id) : toggleItem(now, item)))
      },
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === ' ' && event.shiftKey) {
          event.preventDefault()
          setSelection((now) => extendRange(now, items, item.id))
        } else onArrowKey(index, event)
      },
    }
  }

  const selectPage = () => setSelection((now) => selectAll(now, items))
  const latest = useRef(selectPage)
  useEffect(() => {
    latest.current = selectPage
  })
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'a' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      const { target } = event
      // In text inputs the shortcut selects the text.
      if (target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, dialog'))
        return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return {
    selected: selection.selected,
    list,
    checkboxProps,
    selectPage,
    selectItems: (more: readonly Selectable[]) => setSelection((now) => selectAll(now, more)),
    deselectItems: (ids: Iterable<number>) => setSelection((now) => deselect(now, ids)),
    clear: () => setSelection(emptySelection),
    /** Focuses the list. Returns false if it is empty. */
    focus: () => {
      const checkbox = checkboxAt(current)
      checkbox?.focus({ preventScroll: true })
      return checkbox !== undefined
    },
  }
}

export type SelectionState = ReturnType<typeof useSelection>
