import type { Collection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import Check from 'lucide-react/icons/check'
import Folder from 'lucide-react/icons/folder'
import Lock from 'lucide-react/icons/lock'
import Plus from 'lucide-react/icons/plus'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { useDefaultAccess } from '../../../shared/session/use-default-access.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { accessesFrom, destinationsIn, isNewName, maxShownDestinations } from './destination.ts'
import type { OwnCollections } from './destination-fields.tsx'

/** A collection, or a channel in it; `collection` is null for a collection that is to be created under `name` with `access`. */
export interface PickedDestination {
  collection: number | null
  access?: BookmarkAccess
  channel: number | null
  name: string
}

interface Option extends PickedDestination {
  isPrivate: boolean
}

interface DestinationPickerProps {
  collections: OwnCollections
  /** Returns the text of the option that creates a collection. */
  createLabel: (name: string, access: BookmarkAccess) => string
  problem: string | null
  /** The option that Enter chooses changed. */
  onPick: (destination: PickedDestination | null) => void
  /** An option was clicked, or Enter pressed. */
  onChoose: (destination: PickedDestination) => void
}

/** Returns the collections and channels whose name contains a text, those that begin with it first. */
function findOptions(list: readonly Collection[], text: string): Option[] {
  const word = text.toLowerCase()
  const isStart = (option: Option) => option.name.toLowerCase().startsWith(word)
  const found: Option[] = destinationsIn(list).filter(({ name }) => name.toLowerCase().includes(word))
  return [...found.filter(isStart), ...found.filter((option) => !isStart(option))].slice(
    0,
    maxShownDestinations,
  )
}

/**
 * A field with a list of the viewer's collections and channels below it, narrowed while typing (ARIA APG, combobox with a
 * list box). A name that no collection has creates one, public or private.
 */
export function DestinationPicker({
  collections: { list, loading, failed, retry },
  createLabel,
  problem,
  onPick,
  onChoose,
}: DestinationPickerProps) {
  const id = useId()
  const defaultAccess = useDefaultAccess()
  const [text, setText] = useState('')
  /** Null: the arrow keys were not used since the last input. */
  const [chosen, setChosen] = useState<number | null>(null)
  const typed = text.trim()
  const found = findOptions(list, typed)
  const isNew = !loading && !failed && isNewName(typed, list)
  const options: Option[] = isNew
    ? [
        ...found,
        ...accessesFrom(defaultAccess).map((access) => ({
          collection: null,
          channel: null,
          name: typed,
          access,
          isPrivate: false,
        })),
      ]
    : found
  // Without a text, Enter must not move anything to the first collection.
  const active = Math.min(chosen ?? (typed === '' ? -1 : 0), options.length - 1)
  const current = options[active] ?? null
  const currentKey =
    current === null ? null : `${current.collection}/${current.channel}/${current.access}/${current.name}`

  const pick = useRef(onPick)
  pick.current = onPick
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the option.
  useEffect(() => pick.current(current), [currentKey])
  useEffect(() => {
    if (currentKey !== null) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active, currentKey])

  // Enter pressed before the collections arrived chooses as soon as they are there.
  const [isWaiting, setWaiting] = useState(false)
  const choose = useRef(onChoose)
  choose.current = onChoose
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the option.
  useEffect(() => {
    if (!isWaiting || loading) return
    setWaiting(false)
    if (current !== null) choose.current(current)
  }, [isWaiting, loading, currentKey])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (current !== null || loading)) {
      event.preventDefault()
      setWaiting(true)
      return
    }
    if (event.key === 'ArrowDown') setChosen((active + 1) % options.length)
    else if (event.key === 'ArrowUp') setChosen(active <= 0 ? options.length - 1 : active - 1)
    else return
    event.preventDefault()
  }

  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Collection"
        hint="Type to find a collection, or a new name to create one."
        error={problem}
      >
        <Input
          data-autofocus
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={current === null ? undefined : `${id}-${active}`}
          autoComplete="off"
          maxLength={limits.nameMax}
          placeholder={loading ? 'Loading...' : 'Name of a collection'}
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(null)
            setWaiting(false)
          }}
        />
      </Field>
      {failed && (
        <Button size="sm" className="self-start" onClick={retry}>
          Try again
        </Button>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Collections"
        hidden={options.length === 0}
        className="max-h-64 overflow-y-auto rounded-control border border-line p-1"
      >
        {options.map((option, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which names the active option.
          <div
            key={`${option.collection}/${option.channel}/${option.access}`}
            id={`${id}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={option === current}
            className="flex min-h-10 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-14 text-ink hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0"
            // The field would lose the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            {option.access === undefined ? (
              <Folder className="text-quiet" />
            ) : option.access === 'private' ? (
              <Lock />
            ) : (
              <Plus />
            )}
            <span className="min-w-0 flex-1 wrap-anywhere">
              {option.access === undefined ? option.name : createLabel(option.name, option.access)}
            </span>
            {option.isPrivate && <PrivateMark />}
            {option === current && <Check className="text-accent-ink" />}
          </div>
        ))}
      </div>
    </div>
  )
}
