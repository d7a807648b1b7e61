import { useState } from 'react'
import { pluralise } from '../../../ui/pluralise.ts'
import { createText } from '../destination/destination.ts'
import { DestinationPicker, type PickedDestination } from '../destination/destination-picker.tsx'
import { useCreateDestination } from '../destination/use-create-destination.ts'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { BulkForm, type BulkFormProps } from './bulk-form.tsx'

/** Moves bookmarks to one of the viewer's collections or channels, or to a collection that is created under the typed name. */
export function MoveForm({
  count,
  problem,
  busy,
  onSubmit: onChange,
  onClose,
}: BulkFormProps & { count: number }) {
  const collections = useOwnCollections()
  const [picked, setPicked] = useState<PickedDestination | null>(null)
  const [isMissing, setMissing] = useState(false)
  const creation = useCreateDestination(undefined)

  async function submit(chosen: PickedDestination | null): Promise<void> {
    if (busy || creation.busy) return
    if (chosen === null) {
      setMissing(true)
      return
    }
    let { collection } = chosen
    const { access } = chosen
    if (collection === null) {
      if (access === undefined) return
      const created = await creation.run({ name: chosen.name, access })
      if (created === null) return
      collection = created.reply.collection
    }
    onChange(
      { action: 'move', collection_id: collection, channel_id: chosen.channel },
      (bookmarks) => `Moved ${bookmarks} to ${chosen.name}.`,
    )
  }

  return (
    <BulkForm
      busy={busy || creation.busy}
      problem={problem ?? creation.errorText}
      action={picked !== null && picked.collection === null ? 'Create and move' : 'Move'}
      onSubmit={() => void submit(picked)}
      onClose={onClose}
    >
      <DestinationPicker
        collections={collections}
        createLabel={(name, access) => `${createText(name, access)} and move ${pluralise(count, 'bookmark')}`}
        problem={isMissing ? 'Please select a collection.' : null}
        onPick={(next) => {
          setPicked(next)
          setMissing(false)
        }}
        onChoose={(next) => void submit(next)}
      />
    </BulkForm>
  )
}
