import { collectChannel, collectCollection } from '@reelmark/contract/collecting.ts'
import type { Collection } from '@reelmark/contract/collections.ts'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { CollectForm } from '../bookmarks/collect-form.tsx'
import { useCollecting } from '../bookmarks/use-collect.ts'
import { type Collected, collectedWords } from './collected-words.ts'
import { countOf, placePath, type ShownPlace } from './place.ts'

interface CollectAllDialogProps {
  place: ShownPlace
  open: boolean
  onClose: () => void
}

/** Takes all of a collection or channel into one's own collections. */
export function CollectAllDialog({ place, open, onClose }: CollectAllDialogProps) {
  const router = useRouter()
  const onDone = (done: Collected, into: Collection) => {
    onClose()
    const path = placePath({ kind: 'collection', id: into.id })
    toast(collectedWords(done, into.name), {
      tone: 'success',
      action: { label: 'View Collection', href: path, run: () => router.history.push(path) },
    })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Collect all"
      description={`${countOf(place.bookmarksCount, 'bookmark')} in ${place.name}`}
    >
      <CollectAll place={place} onCancel={onClose} onDone={onDone} />
    </Dialog>
  )
}

function CollectAll({
  place: { kind, id },
  ...rest
}: {
  place: ShownPlace
  onCancel: () => void
  onDone: (done: Collected, into: Collection) => void
}) {
  const collecting = useCollecting<Collected>((body, intent) => {
    const input = { params: { id }, body }
    return kind === 'collection'
      ? api(collectCollection, input, { intent })
      : api(collectChannel, input, { intent })
  })
  return <CollectForm {...rest} collecting={collecting} submitText="Collect all" />
}
