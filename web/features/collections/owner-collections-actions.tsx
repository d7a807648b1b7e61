import type { Collection } from '@reelmark/contract/collections.ts'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'

const NewContainerDialog = lazy(() =>
  import('./new-container-dialog.tsx').then((module) => ({ default: module.NewContainerDialog })),
)
const OrderDialog = lazy(() =>
  import('./order-dialog.tsx').then((module) => ({ default: module.OrderDialog })),
)

/** Buttons to create and reorder collections, on the viewer's own profile. */
export function OwnerCollectionsActions({ list }: { list: readonly Collection[] }) {
  const [dialogState, setDialogState] = useState<{ name: 'new' | 'order'; open: boolean } | null>(null)
  const dialogProps = {
    open: dialogState?.open === true,
    onClose: () => setDialogState(dialogState && { ...dialogState, open: false }),
  }
  return (
    <div className="flex flex-wrap gap-2">
      {list.length > 1 && (
        <Button
          size="sm"
          aria-haspopup="dialog"
          onClick={() => setDialogState({ name: 'order', open: true })}
        >
          <ArrowUpDown className="size-4" />
          Reorder
        </Button>
      )}
      <Button size="sm" aria-haspopup="dialog" onClick={() => setDialogState({ name: 'new', open: true })}>
        <Plus className="size-4" />
        New collection
      </Button>
      <Suspense>
        {dialogState?.name === 'new' && <NewContainerDialog collection={null} {...dialogProps} />}
        {dialogState?.name === 'order' && (
          <OrderDialog collection={null} containers={list} {...dialogProps} />
        )}
      </Suspense>
    </div>
  )
}
