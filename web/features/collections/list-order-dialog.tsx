import { type ListOrder, updateChannel, updateCollection } from '@reelmark/contract/collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RadioChoices } from '../../ui/radio-choices.tsx'
import type { Container } from './container.ts'
import { OrderForm } from './order-form.tsx'
import { channelQuery, collectionQuery } from './queries.ts'

const choices: readonly { value: ListOrder; label: string; hint?: string }[] = [
  { value: 'manual', label: 'Manual', hint: 'The order you make. New bookmarks come first.' },
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'title', label: 'Title' },
]

interface ListOrderDialogProps {
  container: Container
  open: boolean
  onClose: () => void
}

/** Chooses in what order a list of the viewer is shown and played, for everyone. */
export function ListOrderDialog({ container, open, onClose }: ListOrderDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Order of this ${container.kind}`}
      description="Everyone sees and plays the bookmarks in this order."
    >
      <ListOrderForm container={container} onClose={onClose} />
    </Dialog>
  )
}

function ListOrderForm({ container: { kind, id, listOrder }, onClose }: Omit<ListOrderDialogProps, 'open'>) {
  const client = useQueryClient()
  const [order, setOrder] = useState(listOrder)
  async function save(list_order: ListOrder): Promise<void> {
    const input = { params: { id }, body: { list_order } }
    if (kind === 'channel') {
      client.setQueryData(channelQuery(id).queryKey, await api(updateChannel, input))
    } else {
      client.setQueryData(collectionQuery(id).queryKey, await api(updateCollection, input))
    }
    await client.invalidateQueries({ queryKey: ['videos'] })
  }
  return (
    <OrderForm order={order} save={save} onClose={onClose}>
      <RadioChoices label="Order" name="list-order" choices={choices} value={order} onChange={setOrder} />
    </OrderForm>
  )
}
