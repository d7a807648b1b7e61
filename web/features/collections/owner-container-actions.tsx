import { Link } from '@tanstack/react-router'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash'
import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { addBookmarkSearchFor, type Container } from './container.ts'

const EditContainerDialog = lazy(() =>
  import('./edit-container-dialog.tsx').then((module) => ({ default: module.EditContainerDialog })),
)
const NewContainerDialog = lazy(() =>
  import('./new-container-dialog.tsx').then((module) => ({ default: module.NewContainerDialog })),
)
const OrderDialog = lazy(() =>
  import('./order-dialog.tsx').then((module) => ({ default: module.OrderDialog })),
)
const DeleteContainerDialog = lazy(() =>
  import('./delete-container-dialog.tsx').then((module) => ({ default: module.DeleteContainerDialog })),
)

type DialogName = 'edit' | 'channel' | 'order' | 'delete'

/** For the owner alone, whom only the browser knows. */
export function OwnerContainerActions({ place: container }: { place: Container }) {
  // A dialog stays where it is once it was opened: closing takes a moment.
  const [openDialog, setAsked] = useState<{ what: DialogName; open: boolean } | null>(null)
  const dialog = {
    open: openDialog?.open === true,
    onClose: () => setAsked(openDialog && { ...openDialog, open: false }),
  }
  const showDialog = (what: DialogName) => () => setAsked({ what, open: true })
  return (
    <>
      {/* Where nothing is kept yet, the page offers it in the middle. */}
      {container.bookmarksCount > 0 && (
        <Link to="/bookmarks/create" search={addBookmarkSearchFor(container)} className={buttonClass()}>
          <Plus className="size-4" />
          {/* Short on a phone, where all of them are one row. */}
          <span>
            Add<span className="max-sm:sr-only"> bookmark</span>
          </span>
        </Link>
      )}
      <Menu
        label={`More options for ${container.name}`}
        tone="plain"
        items={[
          { label: 'Edit', icon: <Pencil />, onSelect: showDialog('edit') },
          ...(container.kind === 'collection'
            ? [{ label: 'New channel', icon: <Plus />, onSelect: showDialog('channel') }]
            : []),
          ...(container.channels.length > 1
            ? [
                {
                  label: 'Reorder channels',
                  icon: <ArrowUpDown />,
                  onSelect: showDialog('order'),
                },
              ]
            : []),
          { label: 'Delete', icon: <Trash2 />, danger: true, onSelect: showDialog('delete') },
        ]}
      />
      <Suspense>
        {openDialog?.what === 'edit' && <EditContainerDialog container={container} {...dialog} />}
        {openDialog?.what === 'channel' && <NewContainerDialog collection={container} {...dialog} />}
        {openDialog?.what === 'order' && (
          <OrderDialog collection={container.id} containers={container.channels} {...dialog} />
        )}
        {openDialog?.what === 'delete' && <DeleteContainerDialog container={container} {...dialog} />}
      </Suspense>
    </>
  )
}
