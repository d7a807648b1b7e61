import type { Collection } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type KeyboardEvent, useState } from 'react'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { useDefaultAccess } from '../../../shared/session/use-default-access.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../../ui/field.tsx'
import type { Destination } from './destination.ts'
import { useCreateDestination } from './use-create-destination.ts'

interface NewDestinationProps {
  /** The collection to create a channel in; without it a collection is created. */
  collection?: Collection | undefined
  onCreated: (destination: Destination) => void
  onCancel: () => void
  className?: string
}

/** Creates a collection or a channel inside another form. It is not a form itself, because forms do not nest. */
export function NewDestination({ collection, onCreated, onCancel, className = '' }: NewDestinationProps) {
  const [name, setName] = useState('')
  const [chosenPrivate, setPrivate] = useState<boolean | null>(null)
  const defaultAccess = useDefaultAccess()
  const isPrivate = chosenPrivate ?? defaultAccess === 'private'
  const [isNameMissing, setNameMissing] = useState(false)
  const what = collection === undefined ? 'collection' : 'channel'
  const input = useAutofocus<HTMLInputElement>()

  const creation = useCreateDestination(collection, onCreated)

  function create(): void {
    const isBlank = name.trim() === ''
    setNameMissing(isBlank)
    if (isBlank) input.current?.focus()
    else void creation.run({ name: name.trim(), access: isPrivate ? 'private' : 'public' })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      create()
    } else if (event.key === 'Escape') {
      // Closes only this part: the dialog around it stays open.
      event.preventDefault()
      onCancel()
    }
  }

  return (
    <fieldset
      className={`flex min-w-0 flex-col gap-3 rounded-card border border-line bg-sunken p-4 ${className}`}
    >
      <legend className="sr-only">New {what}</legend>
      <Field
        label={`${what === 'collection' ? 'Collection' : 'Channel'} name`}
        error={isNameMissing ? 'Name is required.' : creation.errorText}
      >
        <Input
          ref={input}
          aria-required
          autoComplete="off"
          maxLength={limits.nameMax}
          value={name}
          onKeyDown={onKeyDown}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {collection === undefined && (
        <Checkbox
          label="Private"
          hint="Only you can see this collection and its bookmarks."
          checked={isPrivate}
          onChange={(event) => setPrivate(event.target.checked)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="plain" busy={creation.busy} busyText="Creating..." onClick={create}>
          Create {what}
        </Button>
        <Button tone="quiet" disabled={creation.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}
