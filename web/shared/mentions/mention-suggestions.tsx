import type { UserSummary } from '@reelmark/contract/protocol/fields.ts'
import { suggestMentions } from '@reelmark/contract/suggestions.ts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { api } from '../api/api.ts'
import { mentionAtCaret, type TypedMention } from './mention-at-caret.ts'

/** Milliseconds without input after which users are requested. */
const debounceMs = 120

interface MentionSuggestionsProps {
  field: RefObject<HTMLTextAreaElement | null>
  videoId: number | undefined
}

/**
 * Suggests users for the name that is typed after `@`, as the list box of a text area (ARIA APG, editable combobox). The
 * focus stays in the text: arrow keys choose a user, Enter, Tab or a click inserts the name, Escape closes the list.
 */
export function MentionSuggestions({ field, videoId }: MentionSuggestionsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<TypedMention | null>(() => readTyped(field.current))
  const [chosen, setChosen] = useState(0)
  /** The position of a mention whose list was closed by Escape. */
  const closedAt = useRef<number | null>(null)
  const users = useSuggestedUsers(typed?.name ?? '', videoId)
  const isOpen = typed !== null && users.length > 0
  const active = Math.min(chosen, users.length - 1)

  useComboboxAttributes(field, id, isOpen, active)
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isOpen])

  function insert(user: UserSummary | undefined): void {
    const element = field.current
    if (element === null || typed === null || user === undefined) return
    const hasSpace = element.value.charAt(typed.end) === ' '
    element.setRangeText(`@${user.username} `, typed.start, typed.end + (hasSpace ? 1 : 0), 'end')
    // React and this list then read the new text as if it had been typed.
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function onInput(): void {
    const next = readTyped(field.current)
    if (next?.start !== closedAt.current) closedAt.current = null
    setTyped(closedAt.current === null ? next : null)
    setChosen(0)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || !isOpen || event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    if (key === 'ArrowDown') setChosen((active + 1) % users.length)
    else if (key === 'ArrowUp') setChosen((active + users.length - 1) % users.length)
    else if (key === 'Enter' || (key === 'Tab' && !event.shiftKey)) insert(users[active])
    else if (key === 'Escape') {
      closedAt.current = typed?.start ?? null
      setTyped(null)
    } else return
    event.preventDefault()
    // Otherwise the form would cancel on Escape.
    event.stopPropagation()
  }

  const handlers = useRef({ onInput, onKeyDown })
  handlers.current = { onInput, onKeyDown }
  useEffect(() => {
    const element = field.current
    if (element === null) return
    const abort = new AbortController()
    const { signal } = abort
    element.addEventListener('input', () => handlers.current.onInput(), { signal })
    element.addEventListener('keydown', (event) => handlers.current.onKeyDown(event), { signal })
    element.addEventListener('blur', () => setTyped(null), { signal })
    // Moving the caret can close the list, but not open it.
    const onSelection = () => setTyped((mention) => mention && readTyped(element))
    document.addEventListener('selectionchange', onSelection, { signal })
    // The user may have typed on after this was first rendered.
    setTyped(readTyped(element))
    return () => abort.abort()
  }, [field])

  return (
    <>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Users to mention"
        hidden={!isOpen}
        className="absolute top-full left-0 z-30 mt-1 w-full scroll-mb-4 rounded-card border border-line-strong bg-raised p-1 text-14 sm:max-w-80"
        // The text area would lose the focus, which closes the list.
        onMouseDown={(event) => event.preventDefault()}
      >
        {isOpen &&
          users.map((user, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys.
            <div
              key={user.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="flex min-h-10 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-ink hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11"
              onClick={() => insert(user)}
            >
              <Avatar src={user.avatar_url} size="sm" />
              <span className="min-w-0 truncate">{user.username}</span>
            </div>
          ))}
      </div>
      <span role="status" className="sr-only">
        {isOpen ? pluralise(users.length, 'suggestion') : ''}
      </span>
    </>
  )
}

function readTyped(field: HTMLTextAreaElement | null): TypedMention | null {
  if (field === null || document.activeElement !== field || field.selectionStart !== field.selectionEnd)
    return null
  return mentionAtCaret(field.value, field.selectionStart)
}

/** Returns users for a name once the typing pauses. Returns no users for an empty name, or if the request fails. */
function useSuggestedUsers(name: string, video: number | undefined): UserSummary[] {
  const requested = useDebouncedValue(name.toLowerCase(), debounceMs)
  const query = { q: requested, ...(video !== undefined && { video }) }
  const { data } = useQuery({
    queryKey: ['mention-suggestions', query] as const,
    queryFn: async ({ signal }) => (await api(suggestMentions, { query }, { signal })).users,
    enabled: name !== '' && requested !== '',
    // The users for the beginning of a name stay until those for the whole name arrive.
    placeholderData: (previous) => previous,
  })
  if (name === '') return []
  const matching = data?.filter(({ username }) => username.toLowerCase().includes(name.toLowerCase())) ?? []
  // A name that is typed completely needs no suggestion.
  const isComplete = matching.length === 1 && matching[0]?.username === name
  return isComplete ? [] : matching
}

/** Makes the text area a combobox while the list is open. Otherwise it is a text field, where Enter and Tab work as usual. */
function useComboboxAttributes(
  field: RefObject<HTMLTextAreaElement | null>,
  id: string,
  isOpen: boolean,
  active: number,
): void {
  useEffect(() => {
    const element = field.current
    if (!isOpen || element === null) return
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': 'true',
      'aria-controls': id,
      'aria-activedescendant': `${id}-${active}`,
    }
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    return () => {
      for (const name of Object.keys(attributes)) element.removeAttribute(name)
    }
  }, [field, id, isOpen, active])
}
