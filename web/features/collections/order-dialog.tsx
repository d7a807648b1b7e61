import { reorderChannels, reorderCollections } from '@reelmark/contract/collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ReorderList } from '../../ui/reorder-list.tsx'
import { toast } from '../../ui/toast.tsx'

interface OrderedContainers {
  /** Whose channels; null: one's collections. */
  collection: number | null
  containers: readonly { id: number; name: string }[]
}

interface OrderDialogProps extends OrderedContainers {
  open: boolean
  onClose: () => void
}

/** Puts one's collections, or the channels of one, in an order. */
export function OrderDialog({ open, onClose, ...containers }: OrderDialogProps) {
  const title = containers.collection === null ? 'Reorder collections' : 'Reorder channels'
  return (
    <Dialog open={open} onClose={onClose} title={title} description="Drag to reorder, or use the arrows.">
      <OrderForm {...containers} title={title} onClose={onClose} />
    </Dialog>
  )
}

function OrderForm({
  collection,
  containers,
  title,
  onClose,
}: OrderedContainers & { title: string; onClose: () => void }) {
  const client = useQueryClient()
  const { busy, problem, run } = useSubmit()
  const [order, setOrder] = useState(containers)

  async function save(): Promise<void> {
    const body = { ids: order.map(({ id }) => id) }
    const done = await run(async () => {
      await (collection === null
        ? api(reorderCollections, { body })
        : api(reorderChannels, { params: { id: collection }, body }))
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
      <DialogFooter>
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button tone="accent" busy={busy} busyText="Saving..." onClick={() => void save()}>
          Save order
        </Button>
      </DialogFooter>
    </div>
  )
}
