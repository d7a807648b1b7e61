import { restoreSmartCollection } from '@reelmark/contract/smart-collections.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { Button } from '../../../ui/button.tsx'
import { ListBox } from '../../../ui/list-box.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SectionTitle } from '../../../ui/section-title.tsx'
import { toast } from '../../../ui/toast.tsx'
import { invalidateSmartCollections, trashedSmartCollectionsQuery } from './queries.ts'

/** Lists the viewer's deleted smart collections below the deleted bookmarks; hidden while the list is empty. */
export function TrashedSmartCollections() {
  const { data = [] } = useQuery(trashedSmartCollectionsQuery)
  if (data.length === 0) return null
  return (
    <section aria-labelledby="deleted-smart-collections" className="page max-w-260! pb-12">
      <SectionTitle id="deleted-smart-collections">Smart collections</SectionTitle>
      <ListBox className="mt-4">
        {data.map((collection) => (
          <TrashedRow key={collection.id} {...collection} />
        ))}
      </ListBox>
    </section>
  )
}

function TrashedRow({ id, name, deleted_at }: { id: number; name: string; deleted_at: string }) {
  const client = useQueryClient()
  const restore = useApiMutation(restoreSmartCollection, {
    onSuccess() {
      invalidateSmartCollections(client)
      toast(`${name} restored.`, { tone: 'success' })
    },
    onError: (error) => void toast(errorMessage(error), { tone: 'danger' }),
  })
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <div className="min-w-0 flex-1 basis-40">
        <p className="text-14 text-ink wrap-anywhere">{name}</p>
        <p className="text-13 text-quiet">
          Deleted <RelativeTime time={deleted_at} />
        </p>
      </div>
      <Button
        size="sm"
        busy={restore.busy}
        aria-label={`Restore ${name}`}
        onClick={() => void restore.run({ params: { id } })}
      >
        Restore
      </Button>
    </li>
  )
}
