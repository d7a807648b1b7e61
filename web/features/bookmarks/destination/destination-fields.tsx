import type { Collection } from '@reelmark/contract/collections.ts'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { type FieldErrors, fieldLabels } from '../add-bookmark/save-values.ts'
import { type Destination, destinationIn, isInPrivateCollection, noDestination } from './destination.ts'
import { NewDestination } from './new-destination.tsx'

export interface OwnCollections {
  list: readonly Collection[]
  loading: boolean
  failed: boolean
  retry: () => void
}

interface DestinationFieldsProps {
  destination: Destination
  onChange: (destination: Destination) => void
  collections: OwnCollections
  problems: FieldErrors
  /** Whether a collection with channels may be chosen without a channel: true for collecting, false for adding. */
  channelOptional?: boolean
  /** Gets the focus when its dialog opens. */
  autofocus?: boolean
}

/**
 * Chooses one of the viewer's collections, then a channel in it. The channel is disabled if the collection has no
 * channels. Both can be created here.
 */
export function DestinationFields({
  destination,
  onChange,
  collections: { list, loading, failed, retry },
  problems,
  channelOptional = false,
  autofocus = false,
}: DestinationFieldsProps) {
  const [creating, setCreating] = useState<'collection' | 'channel' | null>(null)
  const collectionSelect = useRef<HTMLSelectElement>(null)
  const channelSelect = useRef<HTMLSelectElement>(null)
  const chosen = list.find(({ id }) => id === destination.collection)
  const channels = chosen?.channels ?? []

  function chooseCollection(id: number): void {
    const collection = list.find((item) => item.id === id)
    if (collection === undefined) onChange(noDestination)
    else onChange(channelOptional ? { collection: id, channel: null } : destinationIn(collection))
  }

  function finishCreating(created: Destination | null): void {
    const select = creating === 'channel' ? channelSelect : collectionSelect
    flushSync(() => {
      setCreating(null)
      if (created !== null) onChange(created)
    })
    ;(select.current?.disabled ? collectionSelect : select).current?.focus()
  }

  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-1">
        <Field
          label={fieldLabels.collection}
          error={failed ? 'Failed to load collections.' : problems.collection}
          hint={
            isInPrivateCollection(destination, list)
              ? 'Private collection. Only you can see its bookmarks.'
              : undefined
          }
        >
          <Select
            ref={collectionSelect}
            data-autofocus={autofocus || undefined}
            aria-required
            name="collection"
            value={chosen?.id ?? ''}
            disabled={failed}
            aria-busy={loading || undefined}
            onChange={(event) => chooseCollection(Number(event.target.value))}
          >
            <option value="">{loading ? 'Loading...' : 'Select a collection'}</option>
            {list.map(({ id, name, access }) => (
              <option key={id} value={id}>
                {access === 'private' ? `${name} (private)` : name}
              </option>
            ))}
          </Select>
        </Field>
        {failed && (
          <Button size="sm" className="self-start" onClick={retry}>
            Try again
          </Button>
        )}
        {!loading && !failed && creating !== 'collection' && (
          <NewDestinationButton onClick={() => setCreating('collection')}>
            New collection
          </NewDestinationButton>
        )}
      </div>
      {creating === 'collection' && (
        <NewDestination
          className="sm:order-last sm:col-span-2"
          onCreated={finishCreating}
          onCancel={() => finishCreating(null)}
        />
      )}
      <div className="flex min-w-0 flex-col gap-1">
        <Field
          label={fieldLabels.channel}
          error={problems.channel}
          hint={
            chosen !== undefined && channels.length === 0 ? 'This collection has no channels.' : undefined
          }
        >
          <Select
            ref={channelSelect}
            aria-required={(!channelOptional && channels.length > 0) || undefined}
            name="channel"
            value={channels.some(({ id }) => id === destination.channel) ? (destination.channel ?? '') : ''}
            disabled={channels.length === 0}
            onChange={(event) => onChange({ ...destination, channel: Number(event.target.value) || null })}
          >
            <option value="">
              {chosen === undefined
                ? 'Select a collection first'
                : channelOptional || channels.length === 0
                  ? 'No channel'
                  : 'Select a channel'}
            </option>
            {channels.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        {chosen !== undefined && creating !== 'channel' && (
          <NewDestinationButton onClick={() => setCreating('channel')}>New channel</NewDestinationButton>
        )}
      </div>
      {creating === 'channel' && (
        <NewDestination
          key={chosen?.id}
          collection={chosen}
          className="sm:col-span-2"
          onCreated={finishCreating}
          onCancel={() => finishCreating(null)}
        />
      )}
    </div>
  )
}

function NewDestinationButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button tone="quiet" size="sm" className="-ml-3 self-start" onClick={onClick}>
      <Plus className="size-4" />
      {children}
    </Button>
  )
}
