import { type Collection, createCollection } from '@reelmark/contract/collections.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { newIntent } from '../../intent.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { ownCollections } from '../saving/queries.ts'
import { problemText } from '../settings/problem-text.ts'

interface NewCollectionProps {
  onMade: (collection: Collection) => void
  onCancel: () => void
}

/** Makes a collection in the middle of something else: no form of its own, since forms do not stand in forms. */
export function NewCollection({ onMade, onCancel }: NewCollectionProps) {
  const client = useQueryClient()
  const [intent] = useState(newIntent)
  const [name, setName] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  async function make(): Promise<void> {
    if (busy) return
    const body = { name: name.trim(), access: isPrivate ? ('private' as const) : ('public' as const) }
    if (body.name === '') return setProblem('Name is required.')
    setBusy(true)
    setProblem(null)
    try {
      const made = await api(createCollection, { body }, { intent: intent.keyFor(body) })
      client.setQueryData(ownCollections.queryKey, (all) => [...(all ?? []), made])
      void client.invalidateQueries({ queryKey: ['collections'] })
      onMade(made)
    } catch (error) {
      setProblem(problemText(error))
      setBusy(false)
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    event.preventDefault()
    void make()
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-sunken p-4">
      <legend className="sr-only">New collection</legend>
      <Field label="Name of the new collection" error={problem}>
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
      <Checkbox
        label="Private"
        hint="Only you see it and what is in it."
        checked={isPrivate}
        onChange={(event) => setPrivate(event.target.checked)}
      />
      <div className="flex flex-wrap gap-2">
        <Button tone="plain" busy={busy} busyText="Creating..." onClick={() => void make()}>
          Create collection
        </Button>
        <Button tone="quiet" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}
