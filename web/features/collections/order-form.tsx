import type { ReactNode } from 'react'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { DialogFooter } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { toast } from '../../ui/toast.tsx'

interface OrderFormProps<Order> {
  /** The order that the user chose. */
  order: Order
  /** Saves the order and fetches again what it changed. */
  save: (order: Order) => Promise<void>
  onClose: () => void
  /** The controls that change the order. */
  children: ReactNode
}

/** The content of a dialog that changes an order, with buttons to save it or to cancel. */
export function OrderForm<Order>({ order, save, onClose, children }: OrderFormProps<Order>) {
  const { busy, errorText, run } = useApiMutation(save, {
    onSuccess() {
      onClose()
      toast('Order saved.', { tone: 'success' })
    },
  })
  return (
    <div className="flex flex-col gap-5 pt-1">
      <ErrorNotice text={errorText} />
      {children}
      <DialogFooter>
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button tone="accent" busy={busy} busyText="Saving..." onClick={() => void run(order)}>
          Save order
        </Button>
      </DialogFooter>
    </div>
  )
}
