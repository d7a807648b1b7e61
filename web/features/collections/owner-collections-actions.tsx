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

/** Making a collection and putting them in order, on one's own profile. */
export function OwnerCollectionsActions({ list }: { list: readonly Collection[] }) {
  const [asked, setAsked] = useState<{ what: 'new' | 'order'; open: boolean } | null>(null)
  const dialog = { open: asked?.open === true, onClose: () => setAsked(asked && { ...asked, open: false }) }
  return (
    <div className="flex flex-wrap gap-2">
      {list.length > 1 && (
        <Button size="sm" aria-haspopup="dialog" onClick={() => setAsked({ what: 'order', open: true })}>
          <ArrowUpDown className="size-4" />
          Reorder
        </Button>
      )}
      <Button size="sm" aria-haspopup="dialog" onClick={() => setAsked({ what: 'new', open: true })}>
        <Plus className="size-4" />
        New collection
      </Button>
      <Suspense>
        {asked?.what === 'new' && <NewContainerDialog collection={null} {...dialog} />}
        {asked?.what === 'order' && <OrderDialog collection={null} containers={list} {...dialog} />}
      </Suspense>
    </div>
  )
}
