import * as limits from '@reelmark/contract/protocol/limits.ts'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Lock from 'lucide-react/icons/lock'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import {
  type Destination,
  destinationKey,
  isNewName,
  isSameDestination,
  matchDestinations,
  namedDestinations,
} from './destination.ts'
import type { OwnCollections } from './destination-fields.tsx'
import { useCreateDestination } from './use-create-destination.ts'

interface DestinationComboboxProps {
  destination: Destination
  onChange: (destination: Destination) => void
  collections: OwnCollections
  error?: string | readonly string[] | undefined
}

/**
 * Chooses one of the viewer's collections or channels by typing: a combobox with a list box as in ARIA 1.2. A name that no
 * collection has can be created.
 */
export function DestinationCombobox({
  destination,
  onChange,
  collections: { list, loading, failed, retry },
  error,
}: DestinationComboboxProps) {
  const id = useId()
  /** What is typed; null while the field shows the choice. */
  const [text, setText] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const access = useSession().user?.profile.default_bookmark_access ?? 'public'
  const creation = useCreateDestination(undefined, choose)
  const all = useMemo(() => namedDestinations(list), [list])
  const chosen = all.find((item) => isSameDestination(item, destination))
  const name = (text ?? '').trim()
  const found = text === null ? [] : matchDestinations(all, text)
  const isNew = !loading && !failed && isNewName(name, all)
  const options = [
    ...found.map((item) => ({ ...item, key: destinationKey(item), run: () => choose(item) })),
    ...(isNew ? [{ key: 'new', name: null, isPrivate: access === 'private', run: create }] : []),
  ]
  const isOpen = text !== null && options.length > 0

  function choose({ collection, channel }: Destination): void {
    onChange({ collection, channel })
    setText(null)
    setActive(0)
  }

  function create(): void {
    void creation.run({ name: name.slice(0, limits.nameMax), access })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (text === null) setText('')
      else if (options.length > 0)
        setActive((at) => (at + (key === 'ArrowDown' ? 1 : -1) + options.length) % options.length)
    } else if (key === 'Escape' && text !== null) {
      // Closes only the list. A surrounding dialog stays open.
      event.preventDefault()
      setText(null)
    } else if (key === 'Enter' && isOpen) {
      event.preventDefault()
      options[active]?.run()
    }
  }

  return (
    <div className="relative">
      <Field
        label="Collection"
        error={creation.errorText ?? (failed ? 'Failed to load collections.' : error)}
        hint={chosen?.isPrivate ? 'Private collection. Only you can see its bookmarks.' : undefined}
      >
        <Input
          name="collection"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
          aria-required
          aria-busy={loading || creation.busy || undefined}
          autoComplete="off"
          maxLength={limits.nameMax * 2 + 3}
          placeholder={loading ? 'Loading...' : (chosen?.name ?? 'Choose or type a new name')}
          value={text ?? chosen?.name ?? ''}
          onClick={() => text === null && setText('')}
          onChange={({ target }) => {
            setText(target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setText(null)}
        />
      </Field>
      {failed && (
        <Button size="sm" className="mt-2" onClick={retry}>
          Try again
        </Button>
      )}
      {isOpen && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Collections"
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-card border border-line-strong bg-raised p-1"
          // Keeps the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
        >
          {options.map(({ key, name: optionName, isPrivate, run }, index) => (
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
              className="flex min-h-9 cursor-pointer items-center gap-2 rounded-control px-3 py-1.5 text-14 text-ink hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11"
              onClick={run}
            >
              {optionName === null && <FolderPlus className="size-4 shrink-0 text-quiet" />}
              <span className="min-w-0 truncate">{optionName ?? `Create “${name}”`}</span>
              {isPrivate && <Lock aria-label="Private" className="size-3.5 shrink-0 text-quiet" />}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
