import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Field, Input } from './field.tsx'

export interface ComboboxOption {
  key: string
  text: string
  /** Shown before the text. */
  icon?: ReactNode
  /** Shown after the text. */
  mark?: ReactNode
  onChoose: () => void
}

interface ComboboxProps {
  label: string
  /** The accessible name of the list of options. */
  listLabel: string
  /** What is typed; null while the field shows the choice and the list is closed. */
  text: string | null
  onTextChange: (text: string | null) => void
  /** The text of the choice; undefined if nothing is chosen. */
  choice: string | undefined
  /** The options for the typed text. */
  options: readonly ComboboxOption[]
  name?: string
  placeholder: string
  maxLength: number
  required?: boolean
  busy?: boolean
  hint?: ReactNode
  error?: string | readonly string[] | null | undefined
}

/** Scrolls a surrounding dialog, at whose lower edge the list would be cut. */
const scrollToList = (list: HTMLElement | null) => list?.scrollIntoView({ block: 'nearest' })

/** A field with a list of options that match what is typed: a combobox with a list box as in ARIA 1.2. */
export function Combobox({
  label,
  listLabel,
  text,
  onTextChange,
  choice,
  options,
  name,
  placeholder,
  maxLength,
  required = false,
  busy = false,
  hint,
  error,
}: ComboboxProps) {
  const id = useId()
  const [active, setActive] = useState(0)
  const isOpen = text !== null && options.length > 0

  function change(next: string | null): void {
    onTextChange(next)
    setActive(0)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (text === null) change('')
      else if (options.length > 0)
        setActive((at) => (at + (key === 'ArrowDown' ? 1 : -1) + options.length) % options.length)
    } else if (key === 'Escape' && text !== null) {
      // Closes only the list. A surrounding dialog stays open.
      event.preventDefault()
      change(null)
    } else if (key === 'Enter' && isOpen) {
      event.preventDefault()
      options[active]?.onChoose()
    }
  }

  return (
    <div className="relative">
      <Field label={label} error={error} hint={hint}>
        <Input
          name={name}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
          aria-required={required || undefined}
          aria-busy={busy || undefined}
          autoComplete="off"
          maxLength={maxLength}
          placeholder={placeholder}
          value={text ?? choice ?? ''}
          onClick={() => text === null && change('')}
          onChange={({ target }) => change(target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => change(null)}
        />
      </Field>
      {isOpen && (
        <div
          ref={scrollToList}
          id={`${id}-list`}
          role="listbox"
          aria-label={listLabel}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-card border border-line-strong bg-raised p-1"
          // Keeps the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
        >
          {options.map(({ key, text: optionText, icon, mark, onChoose }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys.
            <div
              key={key}
              id={`${id}-${index}`}
              ref={(element) => {
                if (index === active) element?.scrollIntoView({ block: 'nearest' })
              }}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="flex min-h-9 cursor-pointer items-center gap-2 rounded-control px-3 py-1.5 text-14 text-ink hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11 [&_svg]:shrink-0 [&_svg]:text-quiet"
              onClick={onChoose}
            >
              {icon}
              <span className="min-w-0 truncate">{optionText}</span>
              {mark}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
