import { Link } from '@tanstack/react-router'
import { ArrowUpDown, Pencil, Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { placeToSaveIn, type ShownPlace } from './place.ts'

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
  const ask = (what: Asked) => () => setAsked({ what, open: true })
  return (
    <>
      {/* Where nothing is kept yet, the page offers it in the middle. */}
      {place.bookmarksCount > 0 && (
        <Link to="/bookmarks/create" search={placeToSaveIn(place)} className={buttonClass()}>
          <Plus aria-hidden="true" className="size-4" strokeWidth={1.75} />
          {/* Short on a phone, where all of them are one row. */}
          <span>
            Add<span className="max-sm:sr-only"> bookmark</span>
          </span>
        </Link>
      )}
      <Menu
        label={`More options for ${place.name}`}
        tone="plain"
        items={[
          { label: 'Edit', icon: <Pencil {...icon} />, onSelect: ask('edit') },
          ...(place.kind === 'collection'
            ? [{ label: 'New channel', icon: <Plus {...icon} />, onSelect: ask('channel') }]
            : []),
          ...(place.channels.length > 1
            ? [{ label: 'Reorder channels', icon: <ArrowUpDown {...icon} />, onSelect: ask('order') }]
            : []),
          { label: 'Delete', icon: <Trash2 {...icon} />, danger: true, onSelect: ask('delete') },
        ]}
      />
      <Suspense>
        {asked?.what === 'edit' && <EditPlaceDialog place={place} {...dialog} />}
        {asked?.what === 'channel' && <NewPlaceDialog collection={place} {...dialog} />}
        {asked?.what === 'order' && <OrderDialog collection={place.id} places={place.channels} {...dialog} />}
        {asked?.what === 'delete' && <DeletePlaceDialog place={place} {...dialog} />}
      </Suspense>
    </>
  )
}

const icon = { 'aria-hidden': true, strokeWidth: 1.75 } as const
