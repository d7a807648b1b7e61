import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { extended, nothing, type Pickable, stretched, toggled, withAll, without } from './selection.ts'

/** Rows of a list, or cards in columns: by how many an arrow up or down goes on. */
function columnsOf(list: Element): number {
  const { display, gridTemplateColumns } = getComputedStyle(list)
  return display === 'grid' ? gridTemplateColumns.split(' ').length : 1
}

/**
 * Picking out of a list by checkboxes, of which one is in the order of tabs: arrows go to the others. Shift stretches,
 * by arrows, Space or a press; Ctrl or Cmd with A picks all that are shown. What is picked stays when others are shown.
 */
export function usePicker(items: readonly Pickable[]) {
  const [selection, setSelection] = useState(nothing)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const current = Math.min(at, Math.max(0, items.length - 1))

  const box = (index: number) => list.current?.querySelectorAll<HTMLInputElement>('input')[index]

  function go(from: number, event: KeyboardEvent<HTMLInputElement>): void {
    const columns = list.current === null ? 1 : columnsOf(list.current)
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
    box(to)?.focus()
    if (event.shiftKey) setSelection((now) => stretched(now, items, item.id, other.id))
  }

  /** What the checkbox of an item is given. */
  const boxOf = (index: number) => {
    const item = items[index] ?? { id: 0, title: '' }
    return {
      type: 'checkbox' as const,
      checked: selection.picked.has(item.id),
      tabIndex: index === current ? 0 : -1,
      onFocus: () => setAt(index),
      onChange: ({ nativeEvent }: { nativeEvent: Event }) => {
        const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
        setSelection((now) => (isRange ? extended(now, items, item.id) : toggled(now, item)))
      },
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === ' ' && event.shiftKey) {
          event.preventDefault()
          setSelection((now) => extended(now, items, item.id))
        } else go(index, event)
      },
    }
  }

  const pickAll = () => setSelection((now) => withAll(now, items))
  const latest = useRef(pickAll)
  useEffect(() => {
    latest.current = pickAll
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
    picked: selection.picked,
    list,
    boxOf,
    pickAll,
    pick: (more: readonly Pickable[]) => setSelection((now) => withAll(now, more)),
    drop: (ids: Iterable<number>) => setSelection((now) => without(now, ids)),
    clear: () => setSelection(nothing),
    /** Gives the keyboard back to the list. False where it is empty. */
    focus: () => {
      const target = box(current)
      target?.focus({ preventScroll: true })
      return target !== undefined
    },
  }
}

export type Picker = ReturnType<typeof usePicker>
