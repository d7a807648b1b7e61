import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { readLastOrientation } from '../../../shared/orientation/orientation-memory.ts'
import { Input } from '../../../ui/field.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { tagsQuery } from './queries.ts'
import { missingTags, replaceTagAtCaret, tagAtCaret } from './tag-text.ts'

interface TagsInputProps {
  value: string
  onChange: (line: string) => void
  required?: boolean
  /** Of the field in its form; 'tags' without it. */
  name?: string
  /** In a dialog the keyboard starts here. */
  autofocus?: boolean
}

/**
 * A line of tags with commas between, which suggests the tags that others use as one types: a combobox with a listbox,
 * as ARIA 1.2 describes it. The text stays the person's; what is suggested is taken by Enter or a press, never by
 * itself.
 */
export function TagsInput({
  value,
  onChange,
  required = false,
  name = 'tags',
  autofocus = false,
}: TagsInputProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState(0)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)

  const { text } = tagAtCaret(value, caret)
  const requested = useDebouncedValue(text.slice(0, limits.tagMax), 150)
  // Who is not known to be old enough, or wants to see nothing of it, is told no words of adult videos either.
  const consent = useAdultConsent()
  const sfw = !consent || readLastOrientation() === 'sfw'
  const { data } = useQuery({
    ...tagsQuery(requested, sfw),
    enabled: open && (requested !== '' || text === ''),
  })
  const names = open ? missingTags(value, data?.map(({ name }) => name) ?? []) : []
  // While the answer is to what was typed before, what no longer fits is left out already.
  const suggested = names.filter((name) => name.startsWith(text.toLowerCase())).slice(0, 8)
  const shown = suggested.length > 0
  const optionId = (index: number) => `${id}-option-${index}`

  function close(): void {
    setOpen(false)
    setActive(-1)
  }

  function take(name: string): void {
    const next = replaceTagAtCaret(value, caret, name)
    flushSync(() => {
      onChange(next.line)
      setCaret(next.caret)
      close()
    })
    input.current?.focus()
    input.current?.setSelectionRange(next.caret, next.caret)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = key === 'ArrowDown' ? 1 : -1
      // Past either end one is in the line again, with nothing chosen.
      if (shown) setActive((at) => ((at + 1 + step + suggested.length + 1) % (suggested.length + 1)) - 1)
    } else if (key === 'Escape' && open) {
      // Of the list alone: the dialog around it stays.
      if (shown) event.preventDefault()
      close()
    } else if (key === 'Enter' && shown && suggested[active] !== undefined) {
      event.preventDefault()
      take(suggested[active])
    }
  }

  return (
    <div className="relative">
      <Input
        ref={input}
        data-autofocus={autofocus || undefined}
        name={name}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? `${id}-list` : undefined}
        aria-activedescendant={shown && active >= 0 ? optionId(active) : undefined}
        aria-required={required}
        value={value}
        autoComplete="off"
        autoCapitalize="none"
        onChange={({ target }) => {
          const at = target.selectionStart ?? target.value.length
          onChange(target.value)
          setCaret(at)
          setActive(-1)
          setOpen(tagAtCaret(target.value, at).text !== '')
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {shown && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Suggestions as you type"
          className="absolute inset-x-0 top-full z-20 mt-1 rounded-card border border-line-strong bg-raised p-1"
          // The focus stays in the line.
          onPointerDown={(event) => event.preventDefault()}
        >
          {suggested.map((name, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's.
            <div
              key={name}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-14 text-ink hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11"
              onClick={() => take(name)}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="text-13 text-quiet tabular-nums">
                {data?.find((tag) => tag.name === name)?.uses_count}
                <span className="sr-only"> bookmarks</span>
              </span>
            </div>
          ))}
        </div>
      )}
      <span role="status" className="sr-only">
        {shown ? `${suggested.length} ${suggested.length === 1 ? 'suggestion' : 'suggestions'}` : ''}
      </span>
    </div>
  )
}
