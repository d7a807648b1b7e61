import { reorderChannels, reorderCollections } from '@reelmark/contract/collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ReorderList } from '../../ui/reorder-list.tsx'
import { toast } from '../../ui/toast.tsx'

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
  const [order, setOrder] = useState(containers)
  const { busy, errorText, run } = useApiMutation(
    async (ids: number[]) => {
      await (collection === null
        ? api(reorderCollections, { body: { ids } })
        : api(reorderChannels, { params: { id: collection }, body: { ids } }))
      await client.invalidateQueries({ queryKey: ['collections'] })
    },
    {
      onSuccess() {
        onClose()
        toast('Order saved.', { tone: 'success' })
      },
    },
  )

  return (
    <div className="flex flex-col gap-5 pt-1">
      <ErrorNotice text={errorText} />
      <ReorderList label={title} items={order} onChange={setOrder} />
      <DialogFooter>
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button
          tone="accent"
          busy={busy}
          busyText="Saving..."
          onClick={() => void run(order.map(({ id }) => id))}
        >
          Save order
        </Button>
      </DialogFooter>
    </div>
  )
}
