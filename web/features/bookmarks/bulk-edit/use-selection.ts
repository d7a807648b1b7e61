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

/** Rows of a list, or cards in columns: by how many an arrow up or down goes on. */
function columnCount(list: Element): number {
  const { display, gridTemplateColumns } = getComputedStyle(list)
  return display === 'grid' ? gridTemplateColumns.split(' ').length : 1
}

/**
 * Picking out of a list by checkboxes, of which one is in the order of tabs: arrows go to the others. Shift stretches,
 * by arrows, Space or a press; Ctrl or Cmd with A picks all that are shown. What is picked stays when others are shown.
 */
export function useSelection(items: readonly Selectable[]) {
  const [selection, setSelection] = useState(emptySelection)
  const [focusedIndex, setAt] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const current = Math.min(focusedIndex, Math.max(0, items.length - 1))

  const checkboxAt = (index: number) => list.current?.querySelectorAll<HTMLInputElement>('input')[index]

  function go(from: number, event: KeyboardEvent<HTMLInputElement>): void {
    const columns = list.current === null ? 1 : columnCount(list.current)
    const targets: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from - columns,
      ArrowDown: from + columns,
      Home: 0,
      End: items.length - 1,
    }
    const to = targets[event.key]
    const [item, other] = [items[from], items[to ?? -1]]
    if (to === undefined || item === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (other === undefined) return
    checkboxAt(to)?.focus()
    if (event.shiftKey) setSelection((now) => extendByArrow(now, items, item.id, other.id))
  }

  /** What the checkbox of an item is given. */
  const checkboxProps = (index: number) => {
    const item = items[index] ?? { id: 0, title: '' }
    return {
      type: 'checkbox' as const,
      checked: selection.selected.has(item.id),
      tabIndex: index === current ? 0 : -1,
      onFocus: () => setAt(index),
      onChange: ({ nativeEvent }: { nativeEvent: Event }) => {
        const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
        setSelection((now) => (isRange ? extendRange(now, items, item.id) : toggleItem(now, item)))
      },
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === ' ' && event.shiftKey) {
          event.preventDefault()
          setSelection((now) => extendRange(now, items, item.id))
        } else go(index, event)
      },
    }
  }

  const selectAllShown = () => setSelection((now) => selectAll(now, items))
  const latest = useRef(selectAllShown)
  useEffect(() => {
    latest.current = selectAllShown
  })
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'a' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      const { target } = event
      // Where one types it is all of the text; a checkbox holds none.
      if (target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, dialog'))
        return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return {
    picked: selection.selected,
    list,
    boxOf: checkboxProps,
    pickAll: selectAllShown,
    pick: (more: readonly Selectable[]) => setSelection((now) => selectAll(now, more)),
    drop: (ids: Iterable<number>) => setSelection((now) => deselect(now, ids)),
    clear: () => setSelection(emptySelection),
    /** Gives the keyboard back to the list. False where it is empty. */
    focus: () => {
      const target = checkboxAt(current)
      target?.focus({ preventScroll: true })
      return target !== undefined
    },
  }
}

export type SelectionState = ReturnType<typeof useSelection>
