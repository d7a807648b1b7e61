import { ArrowUpDown, Pencil, Plus, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import type { ShownPlace } from './place.ts'

const EditPlaceDialog = lazy(() =>
  import('./edit-place-dialog.tsx').then((module) => ({ default: module.EditPlaceDialog })),
)
const NewPlaceDialog = lazy(() =>
  import('./new-place-dialog.tsx').then((module) => ({ default: module.NewPlaceDialog })),
)
const OrderDialog = lazy(() =>
  import('./order-dialog.tsx').then((module) => ({ default: module.OrderDialog })),
)
const DeletePlaceDialog = lazy(() =>
  import('./delete-place-dialog.tsx').then((module) => ({ default: module.DeletePlaceDialog })),
)

type Asked = 'edit' | 'channel' | 'order' | 'delete'

/** For the owner alone, whom only the browser knows. */
export function OwnPlaceActions({ place }: { place: ShownPlace }) {
  // A dialog stays where it is once it was opened: closing takes a moment.
  const [asked, setAsked] = useState<{ what: Asked; open: boolean } | null>(null)
  const dialog = { open: asked?.open === true, onClose: () => setAsked(asked && { ...asked, open: false }) }
  const button = (what: Asked, icon: ReactNode, text: string) => (
    <Button aria-haspopup="dialog" onClick={() => setAsked({ what, open: true })}>
      {icon}
      {text}
    </Button>
  )
  return (
    <>
      {button('edit', <Pencil {...icon} />, 'Edit')}
      {place.kind === 'collection' && button('channel', <Plus {...icon} />, 'New channel')}
      {place.channels.length > 1 && button('order', <ArrowUpDown {...icon} />, 'Order channels')}
      {button('delete', <Trash2 {...icon} />, 'Delete')}
      <Suspense>
        {asked?.what === 'edit' && <EditPlaceDialog place={place} {...dialog} />}
        {asked?.what === 'channel' && <NewPlaceDialog collection={place} {...dialog} />}
        {asked?.what === 'order' && <OrderDialog collection={place.id} places={place.channels} {...dialog} />}
        {asked?.what === 'delete' && <DeletePlaceDialog place={place} {...dialog} />}
      </Suspense>
    </>
  )
}

const icon = { 'aria-hidden': true, className: 'size-4', strokeWidth: 1.75 } as const
