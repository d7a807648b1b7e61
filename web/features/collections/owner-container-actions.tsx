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

/** The actions of the owner. */
export function OwnerContainerActions({ container }: { container: Container }) {
  // Dialogs stay mounted once they were opened, because closing is animated.
  const [dialogState, setDialogState] = useState<{ name: DialogName; open: boolean } | null>(null)
  const dialogProps = {
    open: dialogState?.open === true,
    onClose: () => setDialogState(dialogState && { ...dialogState, open: false }),
  }
  const showDialog = (name: DialogName) => () => setDialogState({ name, open: true })
  return (
    <>
      {/* An empty container offers this in the middle of the page. */}
      {container.bookmarksCount > 0 && (
        <Link to="/bookmarks/create" search={addBookmarkSearchFor(container)} className={buttonClass()}>
          <Plus className="size-4" />
          {/* Short on phones, so that all actions fit in one row. */}
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
        {dialogState?.name === 'edit' && <EditContainerDialog container={container} {...dialogProps} />}
        {dialogState?.name === 'channel' && <NewContainerDialog collection={container} {...dialogProps} />}
        {dialogState?.name === 'order' && (
          <OrderDialog collection={container.id} containers={container.channels} {...dialogProps} />
        )}
        {dialogState?.name === 'delete' && <DeleteContainerDialog container={container} {...dialogProps} />}
      </Suspense>
    </>
  )
}
