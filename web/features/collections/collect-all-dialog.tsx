import { collectChannel, collectCollection } from '@reelmark/contract/collect.ts'
import type { Collection } from '@reelmark/contract/collections.ts'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../shared/api/api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { toast } from '../../ui/toast.tsx'
import { CollectForm, useCollectRequest } from '../bookmarks/public-api.ts'
import { type CollectResult, collectResultText } from './collect-result-labels.ts'
import { type Container, containerPath } from './container.ts'

interface CollectAllDialogProps {
  container: Container
  open: boolean
  onClose: () => void
}

/** Collects all bookmarks of a collection or channel into one of the viewer's collections. */
export function CollectAllDialog({ container, open, onClose }: CollectAllDialogProps) {
  const router = useRouter()
  const onDone = (result: CollectResult, collection: Collection) => {
    onClose()
    const path = containerPath({ kind: 'collection', id: collection.id })
    toast(collectResultText(result, collection.name), {
      tone: 'success',
      action: { label: 'View Collection', href: path, run: () => router.history.push(path) },
    })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Collect all"
      description={`${pluralise(container.bookmarksCount, 'bookmark')} in ${container.name}`}
    >
      <CollectAll container={container} onCancel={onClose} onDone={onDone} />
    </Dialog>
  )
}

function CollectAll({
  container: { kind, id },
  ...rest
}: {
  container: Container
  onCancel: () => void
  onDone: (result: CollectResult, collection: Collection) => void
}) {
  const collecting = useCollectRequest<CollectResult>((body, options) => {
    const input = { params: { id }, body }
    return kind === 'collection'
      ? api(collectCollection, input, options)
      : api(collectChannel, input, options)
  })
  return <CollectForm {...rest} collecting={collecting} submitText="Collect all" />
}
