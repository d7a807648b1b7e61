import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { readLastOrientation } from '../../../shared/orientation/orientation-memory.ts'
import { requestSave } from '../../../shared/save-request.ts'
import { useSession } from '../../../shared/session/session.ts'
import { pluralise } from '../../../ui/pluralise.ts'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { savesByUrlQuery } from '../../bookmarks/public-api.ts'
import { readLink } from './link.ts'
import { findUploaderPrefix, insertOperator, insertUploader } from './match-operators.ts'
import { suggestionsQuery, videoByLinkQuery } from './queries.ts'
import { linkGroups, type Suggestion, suggestionGroups, uploaderGroups } from './suggestion-groups.tsx'

/** Milliseconds without input after which suggestions are requested. */
const debounceMs = 120

interface SuggestionListProps {
  input: HTMLInputElement
}

/** What is typed and where the caret is; null while the list is closed. */
type Typed = { text: string; caret: number } | null

/**
 * Suggests what a search can lead to, as the list box of a search field (ARIA APG, editable combobox). The focus stays in
 * the field: arrow keys choose a suggestion, Enter follows it, Escape closes the list. Without a choice, Enter searches.
 */
export function SuggestionList({ input }: SuggestionListProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<Typed>(null)
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const text = typed?.text ?? ''
  const link = readLink(text)
  const { status, username } = useSession()
  const isSignedIn = status === 'signed-in'
  const requestedLink = useDebouncedValue(link, debounceMs)
  const { data: known } = useQuery({
    ...videoByLinkQuery(requestedLink ?? ''),
    enabled: link !== null && requestedLink === link,
  })
  const { data: saves } = useQuery({
    ...savesByUrlQuery(requestedLink ?? ''),
    enabled: isSignedIn && link !== null && requestedLink === link,
  })
  const uploader = typed === null ? null : findUploaderPrefix(text, typed.caret)
  const found = useFoundSuggestions(link === null ? (uploader ?? text.trim()) : '')
  const groups =
    typed === null || text.trim() === ''
      ? []
      : link !== null
        ? linkGroups(link, { own: saves?.bookmarks ?? [], shared: known ?? null }, isSignedIn)
        : uploader !== null
          ? uploaderGroups(uploader, found)
          : suggestionGroups(text, typed.caret, found, username)
  const suggestions = groups.flatMap((group) => group.suggestions)
  const isOpen = suggestions.length > 0
  const chosen = suggestions.findIndex(({ key }) => key === chosenKey)
  // For a link, Enter follows the first suggestion, because a search for the link finds nothing.
  const active = chosen === -1 && link !== null ? 0 : chosen

  useComboboxAttributes(input, id, isOpen, active)
  useMaxHeight(list, input, isOpen)

  function close(): void {
    setTyped(null)
    setChosenKey(null)
  }

  function choose(event: MouseEvent, { action }: Suggestion): void {
    // With a modifier key, the browser opens a link in a new tab.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    close()
    if ('operator' in action || 'uploader' in action) {
      const caret = input.selectionStart ?? input.value.length
      const inserted =
        'operator' in action
          ? insertOperator(input.value, caret, action.operator)
          : insertUploader(input.value, caret, action.uploader)
      input.value = inserted.text
      input.setSelectionRange(inserted.caret, inserted.caret)
      input.focus()
    } else if ('submit' in action) {
      input.form?.requestSubmit()
    } else {
      // Visitors and users whose sheet is not loaded follow the link to the add page.
      if ('save' in action && requestSave(action.save)) event.preventDefault()
      input.form?.reset()
      input.blur()
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen) setTyped(readTyped(input))
      // Beyond either end, no suggestion is chosen and the keys are back in the field.
      const step = key === 'ArrowDown' ? 1 : -1
      const next = ((active + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1
      setChosenKey(suggestions[next]?.key ?? null)
    } else if (key === 'Escape' && isOpen) close()
    else if (key === 'Enter' && active >= 0) document.getElementById(`${id}-${active}`)?.click()
    else {
      // These move the caret in the text.
      if (['Home', 'End', 'ArrowLeft', 'ArrowRight'].includes(key)) setChosenKey(null)
      return
    }
    event.preventDefault()
  }

  const handlers = useRef({ onKeyDown, close })
  handlers.current = { onKeyDown, close }
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    input.addEventListener(
      'input',
      () => {
        setTyped(readTyped(input))
        setChosenKey(null)
      },
      { signal },
    )
    input.addEventListener('keydown', (event) => handlers.current.onKeyDown(event), { signal })
    input.addEventListener('blur', () => handlers.current.close(), { signal })
    // Read only now: what is typed between the rendering of the list and this moment is reported by no event.
    setTyped(readUnsubmitted(input))
    return () => abort.abort()
  }, [input])

  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])

  let index = -1
  return (
    <>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Suggestions"
        hidden={!isOpen}
        className="absolute top-full left-0 z-30 mt-1 w-full overflow-y-auto overscroll-contain rounded-card border border-line-strong bg-raised p-1 text-left text-14 md:min-w-140"
        // The field would lose the focus, which closes the list.
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map(({ title, suggestions }) => (
          <div
            key={title}
            {...(title === null
              ? { role: 'presentation' }
              : { role: 'group', 'aria-labelledby': `${id}-${title}` })}
          >
            {title !== null && (
              <div
                id={`${id}-${title}`}
                role="presentation"
                className="px-3 pt-2 pb-1 text-12 font-medium text-quiet"
              >
                {title}
              </div>
            )}
            {suggestions.map((suggestion) => {
              index += 1
              return (
                <Option
                  key={suggestion.key}
                  id={`${id}-${index}`}
                  suggestion={suggestion}
                  isActive={index === active}
                  onChoose={choose}
                />
              )
            })}
          </div>
        ))}
      </div>
      <span role="status" className="sr-only">
        {isOpen ? pluralise(suggestions.length, 'suggestion') : ''}
      </span>
    </>
  )
}

interface OptionProps {
  id: string
  suggestion: Suggestion
  isActive: boolean
  onChoose: (event: MouseEvent, suggestion: Suggestion) => void
}

function Option({ id, suggestion, isActive, onChoose }: OptionProps) {
  const { icon, text, detail, action } = suggestion
  const option = {
    id,
    role: 'option',
    tabIndex: -1,
    'aria-selected': isActive,
    className:
      'flex min-h-10 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-ink hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11',
    onClick: (event: MouseEvent) => onChoose(event, suggestion),
  }
  const content = (
    <>
      {icon}
      <span className="min-w-0 truncate">{text}</span>
      {detail !== undefined && (
        <span className="ml-auto min-w-0 shrink-[2] truncate text-13 text-quiet">{detail}</span>
      )}
    </>
  )
  const link =
    'save' in action
      ? ({ to: '/bookmarks/create', search: { tab: 'url', url: action.save } } as const)
      : 'link' in action
        ? action.link
        : null
  return link !== null ? (
    <Link {...link} {...option} preload={false}>
      {content}
    </Link>
  ) : (
    <div {...option}>{content}</div>
  )
}

function readTyped(input: HTMLInputElement): Typed {
  return { text: input.value, caret: input.selectionStart ?? input.value.length }
}

/** Returns what was typed before the field was listened to; null if nothing was. */
function readUnsubmitted(input: HTMLInputElement): Typed {
  return document.activeElement === input && input.value !== input.defaultValue ? readTyped(input) : null
}

/** Returns suggestions for a text once it has not changed for a moment; none for an empty text, or if the request fails. */
function useFoundSuggestions(text: string) {
  const requested = useDebouncedValue(text, debounceMs)
  const hasConsent = useAdultConsent()
  const { data } = useQuery({
    // Without age confirmation, adult content is not suggested.
    ...suggestionsQuery(requested, readLastOrientation() ?? (hasConsent ? 'all' : 'sfw')),
    enabled: text !== '' && requested !== '',
    // The suggestions for the beginning of a text stay until those for the whole text arrive.
    placeholderData: (previous) => previous,
  })
  return data
}

/** Makes the field a combobox. Its element is rendered by the page before this code is loaded. */
function useComboboxAttributes(input: HTMLInputElement, id: string, isOpen: boolean, active: number): void {
  useEffect(() => {
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': id,
      'aria-expanded': String(isOpen),
    }
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
    if (active < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${id}-${active}`)
  }, [input, id, isOpen, active])
}

/** Ends the list above the lower edge of the window or the keyboard of a phone. */
function useMaxHeight(list: RefObject<HTMLElement | null>, input: HTMLElement, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const resize = () => {
      const room = (window.visualViewport?.height ?? innerHeight) - input.getBoundingClientRect().bottom
      if (list.current !== null) list.current.style.maxHeight = `${Math.max(room - 16, 240)}px`
    }
    resize()
    window.visualViewport?.addEventListener('resize', resize)
    return () => window.visualViewport?.removeEventListener('resize', resize)
  }, [list, input, isOpen])
}
