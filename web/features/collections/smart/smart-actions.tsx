import {
  deleteSmartCollection,
  restoreSmartCollection,
  type SmartCollection,
  type SmartQuery,
} from '@reelmark/contract/smart-collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import Pencil from 'lucide-react/icons/pencil'
import Search from 'lucide-react/icons/search'
import Trash2 from 'lucide-react/icons/trash'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { Menu } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { loadExportDialog } from '../../transfer/public-api.ts'
import { EditSmartDialog } from './edit-smart-dialog.tsx'
import { invalidateSmartCollections, smartCollectionsQuery } from './queries.ts'
import { searchLink } from './search-link.ts'

const ExportDialog = lazy(() => loadExportDialog().then((component) => ({ default: component })))

/** The actions of a smart collection's owner. */
export function SmartActions({ collection }: { collection: SmartCollection & { query: SmartQuery } }) {
  const client = useQueryClient()
  const router = useRouter()
  const [editing, setEditing] = useState<'never' | 'open' | 'closed'>('never')
  const [exporting, setExporting] = useState<'never' | 'open' | 'closed'>('never')
  const { id, name } = collection
  const username = collection.user.username

  async function restore(): Promise<void> {
    try {
      await api(restoreSmartCollection, { params: { id } })
      invalidateSmartCollections(client)
      toast(`${name} restored.`, { tone: 'success' })
    } catch (error) {
      toast(errorMessage(error), { tone: 'danger' })
    }
  }

  const removal = useApiMutation(deleteSmartCollection, {
    async onSuccess() {
      // First leaves the page, and removes its tile from the list, so that neither fetches again what was deleted.
      client.setQueryData(smartCollectionsQuery(username).queryKey, (all) =>
        all?.filter((one) => one.id !== id),
      )
      await router.navigate({
        to: '/users/$username',
        params: { username },
        search: { tab: 'collections' },
      })
      invalidateSmartCollections(client)
      toast(`${name} moved to the trash.`, {
        tone: 'success',
        action: { label: 'Undo', run: () => void restore() },
      })
    },
    onError: (error) => void toast(errorMessage(error), { tone: 'danger' }),
  })

  return (
    <>
      <Menu
        label={`More options for ${name}`}
        tone="plain"
        items={[
          { label: 'Edit', icon: <Pencil />, onSelect: () => setEditing('open') },
          {
            label: 'Open search',
            icon: <Search />,
            onSelect: () => void router.navigate(searchLink(collection.query, username)),
          },
          { label: 'Export', icon: <Download />, onSelect: () => setExporting('open') },
          {
            label: 'Delete',
            icon: <Trash2 />,
            danger: true,
            onSelect: () => void removal.run({ params: { id } }),
          },
        ]}
      />
      <Suspense>
        {exporting !== 'never' && (
          <ExportDialog
            source={{ smart_collection: id }}
            name={name}
            open={exporting === 'open'}
            onClose={() => setExporting('closed')}
          />
        )}
      </Suspense>
      {editing !== 'never' && (
        <EditSmartDialog
          collection={collection}
          open={editing === 'open'}
          onClose={() => setEditing('closed')}
        />
      )}
    </>
  )
}
