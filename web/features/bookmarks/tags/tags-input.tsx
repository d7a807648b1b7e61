import * as limits from '@reelmark/contract/protocol/limits.ts'
import { missingTags, replaceTagAtCaret, tagAtCaret } from '@reelmark/contract/tag-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { readLastOrientation } from '../../../shared/orientation/orientation-memory.ts'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { Input } from '../../../ui/field.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { tagsQuery } from './queries.ts'

interface TagsInputProps {
  value: string
  onChange: (line: string) => void
  required?: boolean
  /** The name of the field in its form. Default: 'tags'. */
  name?: string
  /** Gets the focus when its dialog opens. */
  autofocus?: boolean
}

/**
 * An input for tags separated by commas that suggests tags as the user types: a combobox with a listbox as in ARIA 1.2.
 * Suggestions are only inserted by Enter or a click.
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
  // Without age confirmation, or with the SFW filter, tags of adult videos are not suggested.
  const consent = useAdultConsent()
  const sfw = !consent || readLastOrientation() === 'sfw'
  const { data } = useQuery({
    ...tagsQuery(requested, sfw),
    enabled: open && (requested !== '' || text === ''),
  })
  const names = open ? missingTags(value, data?.map(({ name }) => name) ?? []) : []
  // The suggestions may belong to an earlier input; those that no longer match are omitted.
  const suggested = names.filter((name) => name.startsWith(text.toLowerCase())).slice(0, 8)
  const isListShown = suggested.length > 0
  const optionId = (index: number) => `${id}-option-${index}`

  function close(): void {
    setOpen(false)
    setActive(-1)
  }

  function insertTag(name: string): void {
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
      // Beyond either end, no option is active and the arrows are back in the input.
      if (isListShown)
        setActive((at) => ((at + 1 + step + suggested.length + 1) % (suggested.length + 1)) - 1)
    } else if (key === 'Escape' && open) {
      // Closes only the list. A surrounding dialog stays open.
      if (isListShown) event.preventDefault()
      close()
    } else if (key === 'Enter' && isListShown && suggested[active] !== undefined) {
      event.preventDefault()
      insertTag(suggested[active])
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
        aria-expanded={isListShown}
        aria-controls={isListShown ? `${id}-list` : undefined}
        aria-activedescendant={isListShown && active >= 0 ? optionId(active) : undefined}
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
      {isListShown && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Suggestions as you type"
          className="absolute inset-x-0 top-full z-20 mt-1 rounded-card border border-line-strong bg-raised p-1"
          // Keeps the focus in the input.
          onPointerDown={(event) => event.preventDefault()}
        >
          {suggested.map((name, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys.
            <div
              key={name}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-14 text-ink hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11"
              onClick={() => insertTag(name)}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <UsesCount count={data?.find((tag) => tag.name === name)?.uses_count ?? null} />
            </div>
          ))}
        </div>
      )}
      <span role="status" className="sr-only">
        {isListShown ? `${suggested.length} ${suggested.length === 1 ? 'suggestion' : 'suggestions'}` : ''}
      </span>
    </div>
  )
}

/** How many public bookmarks have a tag; null for one that only the viewer's private bookmarks have. */
function UsesCount({ count }: { count: number | null }) {
  return (
    <span className="text-13 text-quiet tabular-nums">
      {count === null ? (
        <PrivateMark />
      ) : (
        <>
          {count}
          <span className="sr-only"> bookmarks</span>
        </>
      )}
    </span>
  )
}
