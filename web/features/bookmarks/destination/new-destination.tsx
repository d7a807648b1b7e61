import { type Collection, createChannel, createCollection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../../ui/field.tsx'
import { ownCollectionsQuery } from '../add-bookmark/queries.ts'
import type { Destination } from './destination.ts'

interface NewDestinationProps {
  /** The collection to create a channel in; without it a collection is created. */
  collection?: Collection | undefined
  onCreated: (destination: Destination) => void
  onCancel: () => void
  className?: string
}

/** Creates a collection or a channel inside another form. It is not a form itself, because forms do not nest. */
export function NewDestination({ collection, onCreated, onCancel, className = '' }: NewDestinationProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [isNameMissing, setNameMissing] = useState(false)
  const what = collection === undefined ? 'collection' : 'channel'
  const input = useAutofocus<HTMLInputElement>()

  const creation = useApiMutation(
    async (body: { name: string; access: BookmarkAccess }, options): Promise<Destination> => {
      if (collection === undefined) {
        const created = await api(createCollection, { body }, options)
        client.setQueryData(ownCollectionsQuery.queryKey, (all) => [...(all ?? []), created])
        return { collection: created.id, channel: null }
      }
      const { id } = collection
      const created = await api(createChannel, { params: { id }, body: { name: body.name } }, options)
      client.setQueryData(ownCollectionsQuery.queryKey, (all) =>
        all?.map((item) => (item.id === id ? { ...item, channels: [...item.channels, created] } : item)),
      )
      return { collection: id, channel: created.id }
    },
    {
      onSuccess(destination) {
        void client.invalidateQueries({ queryKey: ['collections'] })
        onCreated(destination)
      },
    },
  )

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
