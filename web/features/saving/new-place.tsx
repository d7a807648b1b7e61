import { type Collection, createChannel, createCollection } from '@reelmark/contract/collections.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { newIntent } from '../../intent.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { problemText } from '../settings/problem-text.ts'
import type { Place } from './place.ts'
import { ownCollections } from './queries.ts'

interface NewPlaceProps {
  /** The collection to make a channel in; without it a collection is made. */
  inside?: Collection | undefined
  onMade: (place: Place) => void
  onCancel: () => void
  className?: string
}

/** Makes a collection, or a channel, in the middle of something else: no form of its own, since forms do not nest. */
export function NewPlace({ inside, onMade, onCancel, className = '' }: NewPlaceProps) {
  const client = useQueryClient()
  const [intent] = useState(newIntent)
  const [name, setName] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const what = inside === undefined ? 'collection' : 'channel'

  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  async function makeCollection(): Promise<Place> {
    const body = { name: name.trim(), access: isPrivate ? ('private' as const) : ('public' as const) }
    const made = await api(createCollection, { body }, { intent: intent.keyFor(body) })
    client.setQueryData(ownCollections.queryKey, (all) => [...(all ?? []), made])
    return { collection: made.id, channel: null }
  }

  async function makeChannel(id: number): Promise<Place> {
    const body = { name: name.trim() }
    const made = await api(createChannel, { params: { id }, body }, { intent: intent.keyFor(body) })
    client.setQueryData(ownCollections.queryKey, (all) =>
      all?.map((one) => (one.id === id ? { ...one, channels: [...one.channels, made] } : one)),
    )
    return { collection: id, channel: made.id }
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
      const place = await (inside === undefined ? makeCollection() : makeChannel(inside.id))
      void client.invalidateQueries({ queryKey: ['collections'] })
      onMade(place)
    } catch (error) {
      setProblem(problemText(error))
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
