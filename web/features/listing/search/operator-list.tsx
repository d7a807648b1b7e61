import type { searchOperators } from '@reelmark/contract/search-operators.ts'
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { insertOperator, matchOperators } from './match-operators.ts'

/**
 * Suggests operators that begin with the word before the caret, as a list box of the search field (ARIA APG, combobox).
 * Arrow keys choose one, Enter inserts it, and Escape closes the list. Without a choice, Enter searches as usual.
 */
export function OperatorList({ box }: { box: RefObject<HTMLElement | null> }) {
  const id = useId()
  const [options, setOptions] = useState<(typeof searchOperators)[number][]>([])
  const [active, setActive] = useState(-1)
  const state = useRef({ options, active })
  state.current = { options, active }

  const insert = useCallback(
    (operator: string) => {
      const input = findInput(box)
      if (input === null) return
      const inserted = insertOperator(input.value, input.selectionStart ?? input.value.length, operator)
      input.value = inserted.text
      input.setSelectionRange(inserted.caret, inserted.caret)
      input.focus()
      setOptions([])
    },
    [box],
  )

  useEffect(() => {
    const input = findInput(box)
    if (input === null) return
    const update = () => {
      setOptions(matchOperators(input.value, input.selectionStart ?? input.value.length))
      setActive(-1)
    }
    const close = () => setOptions([])
    const onKeyDown = (event: KeyboardEvent) => {
      const { options, active } = state.current
      if (options.length === 0) return
      const chosen = options[active]
      if (event.key === 'ArrowDown') setActive((active + 1) % options.length)
      else if (event.key === 'ArrowUp') setActive(active <= 0 ? options.length - 1 : active - 1)
      else if (event.key === 'Escape') close()
      else if (event.key === 'Enter' && chosen !== undefined) insert(chosen.operator)
      else return
      event.preventDefault()
    }
    input.addEventListener('input', update)
    input.addEventListener('keydown', onKeyDown)
    input.addEventListener('blur', close)
    return () => {
      input.removeEventListener('input', update)
      input.removeEventListener('keydown', onKeyDown)
      input.removeEventListener('blur', close)
    }
  }, [box, insert])

  const isOpen = options.length > 0
  useEffect(() => {
    const input = findInput(box)
    if (input === null) return
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': id,
      'aria-expanded': String(isOpen),
      'aria-activedescendant': active < 0 ? null : `${id}-${active}`,
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) input.removeAttribute(name)
      else input.setAttribute(name, value)
    }
  }, [box, id, isOpen, active])

  return (
    <div
      id={id}
      role="listbox"
      aria-label="Search operators"
      hidden={!isOpen}
      className="absolute top-full left-0 z-30 mt-1 w-full min-w-64 rounded-card border border-line bg-raised p-1 text-14"
    >
      {options.map(({ operator, meaning }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as in any combobox.
        <div
          key={operator}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={`flex min-h-10 cursor-pointer items-center gap-3 rounded-control px-3 hover:bg-hover pointer-coarse:min-h-11 ${index === active ? 'bg-hover' : ''}`}
          // The field would lose the focus, which closes the list.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => insert(operator)}
        >
          <code className="shrink-0 font-medium">{operator}</code>
          <span className="truncate text-quiet">{meaning}</span>
        </div>
      ))}
    </div>
  )
}

function findInput(box: RefObject<HTMLElement | null>): HTMLInputElement | null {
  return box.current?.querySelector('input') ?? null
}
