import type { ReactNode, Ref } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { isInPrivate, type Place } from '../saving/place.ts'
import type { OwnCollections } from '../saving/place-fields.tsx'

interface PlaceSelectsProps {
  place: Place
  onChange: (place: Place) => void
  collections: OwnCollections
  /** No collection was chosen where one is needed. */
  missing: boolean
  collectionRef?: Ref<HTMLSelectElement>
  /** Between the two: what makes a collection. */
  children?: ReactNode
}

/** One of one's own collections, then a channel in it or none. */
export function PlaceSelects({
  place,
  onChange,
  collections: { list, loading, failed, retry },
  missing,
  collectionRef,
  children,
}: PlaceSelectsProps) {
  const collection = list.find(({ id }) => id === place.collection)
  const channels = collection?.channels ?? []
  return (
    <>
      <div className="flex flex-col gap-2">
        <Field
          label="Collection"
          error={failed ? 'Failed to load collections.' : missing ? 'Please select a collection.' : undefined}
          hint={isInPrivate(place, list) ? 'It is private: only you see what is in it.' : undefined}
        >
          <Select
            ref={collectionRef}
            data-autofocus
            aria-required
            name="collection"
            value={collection?.id ?? ''}
            aria-busy={loading}
            onChange={(event) => onChange({ collection: Number(event.target.value) || null, channel: null })}
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
        {children}
      </div>
      <Field label="Channel" hint="Optional.">
        <Select
          name="channel"
          value={channels.some(({ id }) => id === place.channel) ? (place.channel ?? '') : ''}
          disabled={channels.length === 0}
          onChange={(event) => onChange({ ...place, channel: Number(event.target.value) || null })}
        >
          <option value="">No channel</option>
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </>
  )
}
