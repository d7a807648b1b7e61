import { type Collection, createChannel, createCollection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { ownCollectionsQuery } from '../add-bookmark/queries.ts'
import type { Destination } from './destination.ts'

interface NewDestination {
  name: string
  /** The access of a new collection. */
  access: BookmarkAccess
}

/**
 * Creates a collection, or a channel in `collection`, and adds it to the cached collections.
 * @param onCreated receives it as a destination.
 */
export function useCreateDestination(
  collection: Collection | undefined,
  onCreated?: (destination: Destination & { collection: number }) => void,
) {
  const client = useQueryClient()
  return useApiMutation(
    async (body: NewDestination, options) => {
      if (collection === undefined) {
        const created = await api(createCollection, { body }, options)
        client.setQueryData(ownCollectionsQuery.queryKey, (all) => [...(all ?? []), created])
        return { collection: created.id, channel: null }
      }
      const { id } = collection
      const created = await api(createChannel, { params: { id }, body: { name: body.name } }, options)
      client.setQueryData(ownCollectionsQuery.queryKey, (all) =>
        all?.map((item) => (item.id === id ? { ...item, channels: [...item.channels, created] } : item)),
      )
      return { collection: id, channel: created.id }
    },
    {
      onSuccess(destination) {
        void client.invalidateQueries({ queryKey: ['collections'] })
        onCreated?.(destination)
      },
    },
  )
}
