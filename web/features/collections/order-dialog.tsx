import { reorderChannels, reorderCollections } from '@reelmark/contract/collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ReorderList } from '../../ui/reorder-list.tsx'
import { OrderForm } from './order-form.tsx'

interface OrderedContainers {
  /** The collection whose channels are ordered; null for the viewer's collections. */
  collection: number | null
  containers: readonly { id: number; name: string }[]
}

interface OrderDialogProps extends OrderedContainers {
  open: boolean
  onClose: () => void
}

/** Orders the viewer's collections, or the channels of one of them. */
export function OrderDialog({ open, onClose, ...containers }: OrderDialogProps) {
  const title = containers.collection === null ? 'Reorder collections' : 'Reorder channels'
  return (
    <Dialog open={open} onClose={onClose} title={title} description="Drag to reorder, or use the arrows.">
      <OrderContent {...containers} title={title} onClose={onClose} />
    </Dialog>
  )
}

function OrderContent({
  collection,
  containers,
  title,
  onClose,
}: OrderedContainers & { title: string; onClose: () => void }) {
  const client = useQueryClient()
  const [order, setOrder] = useState(containers)
  async function save(chosen: readonly { id: number }[]): Promise<void> {
    const ids = chosen.map(({ id }) => id)
    await (collection === null
      ? api(reorderCollections, { body: { ids } })
      : api(reorderChannels, { params: { id: collection }, body: { ids } }))
    await client.invalidateQueries({ queryKey: ['collections'] })
  }
  return (
    <OrderForm order={order} save={save} onClose={onClose}>
      <ReorderList label={title} items={order} onChange={setOrder} />
    </OrderForm>
  )
}
