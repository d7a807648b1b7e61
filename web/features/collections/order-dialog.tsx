import { orderChannels, orderCollections } from '@reelmark/contract/collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogEnd } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ReorderList } from '../../ui/reorder-list.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAction } from '../settings/use-action.ts'

interface Places {
  /** Whose channels; null: one's collections. */
  collection: number | null
  places: readonly { id: number; name: string }[]
}

interface OrderDialogProps extends Places {
  open: boolean
  onClose: () => void
}

/** Puts one's collections, or the channels of one, in an order. */
export function OrderDialog({ open, onClose, ...places }: OrderDialogProps) {
  const title = places.collection === null ? 'Reorder collections' : 'Reorder channels'
  return (
    <Dialog open={open} onClose={onClose} title={title} description="Drag to reorder, or use the arrows.">
      <OrderForm {...places} title={title} onClose={onClose} />
    </Dialog>
  )
}

function OrderForm({ collection, places, title, onClose }: Places & { title: string; onClose: () => void }) {
  const client = useQueryClient()
  const { busy, problem, run } = useAction()
  const [order, setOrder] = useState(places)

  async function save(): Promise<void> {
    const body = { ids: order.map(({ id }) => id) }
    const done = await run(async () => {
      await (collection === null
        ? api(orderCollections, { body })
        : api(orderChannels, { params: { id: collection }, body }))
      await client.invalidateQueries({ queryKey: ['collections'] })
    })
    if (done === null) return
    onClose()
    toast('Order saved.', { tone: 'success' })
  }

  return (
    <div className="flex flex-col gap-5 pt-1">
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <ReorderList label={title} items={order} onChange={setOrder} />
      <DialogEnd>
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button tone="accent" busy={busy} busyText="Saving..." onClick={() => void save()}>
          Save order
        </Button>
      </DialogEnd>
    </div>
  )
}
