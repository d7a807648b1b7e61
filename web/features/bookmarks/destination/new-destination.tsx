import { type Collection, createChannel, createCollection } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { createIdempotencyKey } from '../../../shared/api/idempotency-key.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../../ui/field.tsx'
import { ownCollectionsQuery } from '../add-bookmark/queries.ts'
import type { Destination } from './destination.ts'

interface NewDestinationProps {
  /** The collection to make a channel in; without it a collection is made. */
  inside?: Collection | undefined
  onCreated: (destination: Destination) => void
  onCancel: () => void
  className?: string
}

/** Makes a collection, or a channel, in the middle of something else: no form of its own, since forms do not nest. */
export function NewDestination({ inside, onCreated, onCancel, className = '' }: NewDestinationProps) {
  const client = useQueryClient()
  const [idempotencyKey] = useState(createIdempotencyKey)
  const [name, setName] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const what = inside === undefined ? 'collection' : 'channel'

  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  async function makeCollection(): Promise<Destination> {
    const body = { name: name.trim(), access: isPrivate ? ('private' as const) : ('public' as const) }
    const created = await api(createCollection, { body }, { idempotencyKey: idempotencyKey.keyFor(body) })
    client.setQueryData(ownCollectionsQuery.queryKey, (all) => [...(all ?? []), created])
    return { collection: created.id, channel: null }
  }

  async function makeChannel(id: number): Promise<Destination> {
    const body = { name: name.trim() }
    const created = await api(
      createChannel,
      { params: { id }, body },
      { idempotencyKey: idempotencyKey.keyFor(body) },
    )
    client.setQueryData(ownCollectionsQuery.queryKey, (all) =>
      all?.map((one) => (one.id === id ? { ...one, channels: [...one.channels, created] } : one)),
    )
    return { collection: id, channel: created.id }
  }

  async function make(): Promise<void> {
    if (busy) return
    if (name.trim() === '') {
      setProblem('Name is required.')
      input.current?.focus()
      return
    }
    setBusy(true)
    setProblem(null)
    try {
      const destination = await (inside === undefined ? makeCollection() : makeChannel(inside.id))
      void client.invalidateQueries({ queryKey: ['collections'] })
      onCreated(destination)
    } catch (error) {
      setProblem(errorMessage(error))
      setBusy(false)
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      void make()
    } else if (event.key === 'Escape') {
      // Of this alone: the dialog around it stays.
      event.preventDefault()
      onCancel()
    }
  }

  return (
    <fieldset
      className={`flex min-w-0 flex-col gap-3 rounded-card border border-line bg-sunken p-4 ${className}`}
    >
      <legend className="sr-only">New {what}</legend>
      <Field label={`${what === 'collection' ? 'Collection' : 'Channel'} name`} error={problem}>
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
      {inside === undefined && (
        <Checkbox
          label="Private"
          hint="Only you can see this collection and its bookmarks."
          checked={isPrivate}
          onChange={(event) => setPrivate(event.target.checked)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="plain" busy={busy} busyText="Creating..." onClick={() => void make()}>
          Create {what}
        </Button>
        <Button tone="quiet" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}
