import type { Collection } from '@reelmark/contract/collections.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { nowhere, placeIn } from './place.ts'
import type { FieldsProps } from './save-fields.tsx'
import { fieldLabels } from './save-values.ts'

export interface OwnCollections {
  list: readonly Collection[]
  loading: boolean
  failed: boolean
  retry: () => void
}

/** Collection, then channel: disabled until a collection is chosen, and where the collection has no channels. */
export function PlaceFields({
  values,
  onChange,
  problems,
  collections,
}: FieldsProps & { collections: OwnCollections }) {
  const { list, loading, failed, retry } = collections
  const chosen = list.find(({ id }) => id === values.collection)
  const channels = chosen?.channels ?? []

  function choose(id: string) {
    const collection = list.find((one) => String(one.id) === id)
    onChange(collection === undefined ? nowhere : placeIn(collection))
  }

  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div className="flex flex-col gap-2">
        <Field
          label={fieldLabels.collection}
          error={failed ? 'Failed to load collections.' : problems.collection}
        >
          <Select
            aria-required
            name="collection"
            value={chosen?.id ?? ''}
            disabled={loading || failed}
            onChange={(event) => choose(event.target.value)}
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
      </div>
      <Field
        label={fieldLabels.channel}
        error={problems.channel}
        hint={
          chosen !== undefined && channels.length === 0
            ? 'This collection has no channels: the bookmark goes into the collection itself.'
            : undefined
        }
      >
        <Select
          aria-required={channels.length > 0}
          name="channel"
          value={channels.some(({ id }) => id === values.channel) ? (values.channel ?? '') : ''}
          disabled={channels.length === 0}
          onChange={(event) => onChange({ channel: Number(event.target.value) || null })}
        >
          <option value="">{chosen === undefined ? 'Select a collection first' : 'Select a channel'}</option>
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}
