import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { matchByName, useOwnCollections } from '../../bookmarks/public-api.ts'
import type { ExploreSearch } from '../explore-search.ts'

const lacks = [
  ['untagged', 'Without tags'],
  ['no_picture', 'Without picture'],
  ['no_player', 'Without player'],
] as const

/** The filters that only the owner of bookmarks has. */
export function OwnFilters({ search, hasCollection }: { search: ExploreSearch; hasCollection: boolean }) {
  return (
    <>
      <Field label="Access">
        <Select name="access" defaultValue={search.access ?? ''}>
          <option value="">All</option>
          <option value="public">Public</option>
          <option value="private">Private</option>
        </Select>
      </Field>
      {hasCollection && <CollectionFilter initial={search.collection} />}
      <fieldset className="flex flex-col">
        <legend className="text-14 font-medium">Show only bookmarks</legend>
        {lacks.map(([name, label]) => (
          <label key={name} className="flex min-h-11 items-center gap-3 text-14">
            <input type="checkbox" name={name} defaultChecked={search[name] === true} className="size-5" />
            {label}
          </label>
        ))}
      </fieldset>
    </>
  )
}

/** Chooses one of the viewer's collections by typing its name. The field `collection` of the form has its id. */
function CollectionFilter({ initial }: { initial: number | undefined }) {
  const { list, loading, failed, retry } = useOwnCollections()
  const [id, setId] = useState(initial)
  const [text, setText] = useState<string | null>(null)
  const chosen = list.find((collection) => collection.id === id)
  function choose(next: number | undefined): void {
    setId(next)
    setText(null)
  }
  return (
    <div>
      <Combobox
        label="Collection"
        listLabel="Collections"
        text={text}
        onTextChange={setText}
        choice={id === undefined ? 'All' : chosen?.name}
        options={
          text === null
            ? []
            : [
                ...(text.trim() === ''
                  ? [{ key: 'all', text: 'All', onChoose: () => choose(undefined) }]
                  : []),
                ...matchByName(list, text).map((collection) => ({
                  key: String(collection.id),
                  text: collection.name,
                  onChoose: () => choose(collection.id),
                })),
              ]
        }
        placeholder={loading ? 'Loading...' : (chosen?.name ?? 'Name of a collection')}
        maxLength={limits.nameMax}
        busy={loading}
        error={failed ? 'Failed to load collections.' : undefined}
      />
      <input type="hidden" name="collection" value={id ?? ''} />
      {failed && (
        <Button size="sm" className="mt-2" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}
