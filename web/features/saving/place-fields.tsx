import type { Collection } from '@reelmark/contract/collections.ts'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { NewPlace } from './new-place.tsx'
import { isInPrivate, nowhere, type Place, placeIn } from './place.ts'
import { type FieldProblems, fieldLabels } from './save-values.ts'

export interface OwnCollections {
  list: readonly Collection[]
  loading: boolean
  failed: boolean
  retry: () => void
}

interface PlaceFieldsProps {
  place: Place
  onChange: (place: Place) => void
  collections: OwnCollections
  problems: FieldProblems
  /** A collection is place enough, even one that has channels: where one collects, not where one saves. */
  channelOptional?: boolean
  /** In a dialog the keyboard starts here. */
  autofocus?: boolean
}

/**
 * One of one's own collections, then a channel in it: disabled until a collection is chosen, and where the collection
 * has no channels. Either can be made on the way.
 */
export function PlaceFields({
  place,
  onChange,
  collections: { list, loading, failed, retry },
  problems,
  channelOptional = false,
  autofocus = false,
}: PlaceFieldsProps) {
  const [making, setMaking] = useState<'collection' | 'channel' | null>(null)
  const collectionSelect = useRef<HTMLSelectElement>(null)
  const channelSelect = useRef<HTMLSelectElement>(null)
  const chosen = list.find(({ id }) => id === place.collection)
  const channels = chosen?.channels ?? []

  function choose(id: number): void {
    const collection = list.find((one) => one.id === id)
    if (collection === undefined) onChange(nowhere)
    else onChange(channelOptional ? { collection: id, channel: null } : placeIn(collection))
  }

  function leaveMaking(made: Place | null): void {
    const select = making === 'channel' ? channelSelect : collectionSelect
    flushSync(() => {
      setMaking(null)
      if (made !== null) onChange(made)
    })
    ;(select.current?.disabled ? collectionSelect : select).current?.focus()
  }

  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-1">
        <Field
          label={fieldLabels.collection}
          error={failed ? 'Failed to load collections.' : problems.collection}
          hint={isInPrivate(place, list) ? 'Private collection. Only you can see its bookmarks.' : undefined}
        >
          <Select
            ref={collectionSelect}
            data-autofocus={autofocus || undefined}
            aria-required
            name="collection"
            value={chosen?.id ?? ''}
            disabled={failed}
            aria-busy={loading || undefined}
            onChange={(event) => choose(Number(event.target.value))}
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
        {!loading && !failed && making !== 'collection' && (
          <MakeButton onClick={() => setMaking('collection')}>New collection</MakeButton>
        )}
      </div>
      {making === 'collection' && (
        <NewPlace
          className="sm:order-last sm:col-span-2"
          onMade={leaveMaking}
          onCancel={() => leaveMaking(null)}
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
            value={channels.some(({ id }) => id === place.channel) ? (place.channel ?? '') : ''}
            disabled={channels.length === 0}
            onChange={(event) => onChange({ ...place, channel: Number(event.target.value) || null })}
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
        {chosen !== undefined && making !== 'channel' && (
          <MakeButton onClick={() => setMaking('channel')}>New channel</MakeButton>
        )}
      </div>
      {making === 'channel' && (
        <NewPlace
          key={chosen?.id}
          inside={chosen}
          className="sm:col-span-2"
          onMade={leaveMaking}
          onCancel={() => leaveMaking(null)}
        />
      )}
    </div>
  )
}

function MakeButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button tone="quiet" size="sm" className="-ml-3 self-start" onClick={onClick}>
      <Plus aria-hidden="true" className="size-4" strokeWidth={1.75} />
      {children}
    </Button>
  )
}
