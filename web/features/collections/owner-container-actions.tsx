import { Link } from '@tanstack/react-router'
import ArrowDownUp from 'lucide-react/icons/arrow-down-up'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import Download from 'lucide-react/icons/download'
import GripVertical from 'lucide-react/icons/grip-vertical'
import LinkIcon from 'lucide-react/icons/link'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Rss from 'lucide-react/icons/rss'
import Trash2 from 'lucide-react/icons/trash'
import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { loadExportDialog } from '../transfer/public-api.ts'
import { addBookmarkSearchFor, type Container, containerPath } from './container.ts'

const EditContainerDialog = lazy(() =>
  import('./edit-container-dialog.tsx').then((module) => ({ default: module.EditContainerDialog })),
)
const NewContainerDialog = lazy(() =>
  import('./new-container-dialog.tsx').then((module) => ({ default: module.NewContainerDialog })),
)
const OrderDialog = lazy(() =>
  import('./order-dialog.tsx').then((module) => ({ default: module.OrderDialog })),
)
const ListOrderDialog = lazy(() =>
  import('./list-order-dialog.tsx').then((module) => ({ default: module.ListOrderDialog })),
)
const LinkDialog = lazy(() =>
  import('./unlisted/link-dialog.tsx').then((module) => ({ default: module.LinkDialog })),
)
const DeleteContainerDialog = lazy(() =>
  import('./delete-container-dialog.tsx').then((module) => ({ default: module.DeleteContainerDialog })),
)

const ExportDialog = lazy(() => loadExportDialog().then((component) => ({ default: component })))

type DialogName = 'edit' | 'link' | 'channel' | 'order' | 'list-order' | 'export' | 'delete'

/** The actions of the owner. */
export function OwnerContainerActions({
  container,
  onReorder,
}: {
  container: Container
  /** Starts reordering the bookmarks, where the list of them is shown. */
  onReorder: (() => void) | undefined
}) {
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
          {/* Short in narrow windows, so that all actions fit in one row. */}
          <span>
            Add<span className="max-lg:sr-only"> bookmark</span>
          </span>
        </Link>
      )}
      <Menu
        label={`More options for ${container.name}`}
        tone="plain"
        items={[
          { label: 'Edit', icon: <Pencil />, onSelect: showDialog('edit') },
          ...(container.kind === 'collection'
            ? [
                { label: 'Secret link', icon: <LinkIcon />, onSelect: showDialog('link') },
                { label: 'New channel', icon: <Plus />, onSelect: showDialog('channel') },
              ]
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
          { label: 'Order…', icon: <ArrowDownUp />, onSelect: showDialog('list-order') },
          ...(container.bookmarksCount > 1 && onReorder !== undefined
            ? [{ label: 'Reorder bookmarks', icon: <GripVertical />, onSelect: onReorder }]
            : []),
          ...(container.kind === 'collection'
            ? [{ label: 'Export', icon: <Download />, onSelect: showDialog('export') }]
            : []),
          ...(container.access === 'public'
            ? [
                {
                  label: 'Feed',
                  icon: <Rss />,
                  onSelect: () => window.location.assign(`${containerPath(container)}/feed.atom`),
                },
              ]
            : []),
          { label: 'Delete', icon: <Trash2 />, danger: true, onSelect: showDialog('delete') },
        ]}
      />
      <Suspense>
        {dialogState?.name === 'edit' && <EditContainerDialog container={container} {...dialogProps} />}
        {dialogState?.name === 'link' && <LinkDialog container={container} {...dialogProps} />}
        {dialogState?.name === 'channel' && <NewContainerDialog collection={container} {...dialogProps} />}
        {dialogState?.name === 'order' && (
          <OrderDialog collection={container.id} containers={container.channels} {...dialogProps} />
        )}
        {dialogState?.name === 'list-order' && <ListOrderDialog container={container} {...dialogProps} />}
        {dialogState?.name === 'export' && (
          <ExportDialog source={{ collection: container.id }} name={container.name} {...dialogProps} />
        )}
        {dialogState?.name === 'delete' && <DeleteContainerDialog container={container} {...dialogProps} />}
      </Suspense>
    </>
  )
}
