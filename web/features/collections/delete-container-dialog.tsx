import { type DeletionResult, deleteChannel, deleteCollection } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { useApiForm } from '../../shared/forms/use-api-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { RadioChoices } from '../../ui/radio-choices.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  type Destination,
  DestinationFields,
  noDestination,
  useOwnCollections,
} from '../bookmarks/public-api.ts'
import type { Container } from './container.ts'
import { channelQuery, collectionQuery } from './queries.ts'

interface DeleteContainerDialogProps {
  container: Container
  open: boolean
  onClose: () => void
}

/** Deletes a collection or channel after asking what happens to its bookmarks. */
export function DeleteContainerDialog({ container, open, onClose }: DeleteContainerDialogProps) {
  const title = container.kind === 'collection' ? 'Delete Collection' : 'Delete Channel'
  return (
    <Dialog open={open} onClose={onClose} title={title} description={container.name}>
      <DeleteContainerForm container={container} title={title} onClose={onClose} />
    </Dialog>
  )
}

type BookmarksAction = 'stay' | 'move' | 'delete'

function DeleteContainerForm({
  container,
  title,
  onClose,
}: {
  container: Container
  title: string
  onClose: () => void
}) {
  const client = useQueryClient()
  const router = useRouter()
  const collections = useMoveDestinations(container)
  const [bookmarksAction, setBookmarksAction] = useState<BookmarksAction>(
    container.kind === 'channel' ? 'stay' : 'move',
  )
  const [target, setTarget] = useState<Destination>(noDestination)
  const isEmpty = container.bookmarksCount === 0

  const remove = (): Promise<DeletionResult> => {
    const params = { id: container.id }
    const query = {
      ...(isEmpty ? {} : { bookmarks: bookmarksAction }),
      ...(!isEmpty &&
        bookmarksAction === 'move' &&
        target.collection !== null && { to_collection: target.collection }),
      ...(!isEmpty &&
        bookmarksAction === 'move' &&
        target.channel !== null && { to_channel: target.channel }),
    }
    if (container.kind === 'channel') return api(deleteChannel, { params, query })
    const { bookmarks, ...destination } = query
    return api(deleteCollection, {
      params,
      query: { ...destination, ...(bookmarks !== undefined && bookmarks !== 'stay' && { bookmarks }) },
    })
  }

  async function finish(result: DeletionResult): Promise<void> {
    onClose()
    const { parent, user } = container
    await (parent === null
      ? router.navigate({
          to: '/users/$username',
          params: { username: user.username },
          search: { tab: 'collections' },
          replace: true,
        })
      : router.navigate({ to: '/collections/$id', params: { id: String(parent.id) }, replace: true }))
    const deleted =
      container.kind === 'collection' ? collectionQuery(container.id) : channelQuery(container.id)
    client.removeQueries({ queryKey: deleted.queryKey })
    void client.invalidateQueries()
    toast(`${container.name} deleted. ${deletionResultText(result)}`.trim(), { tone: 'success' })
  }

  const form = useApiForm(remove, {
    fields: ['collection'],
    validate: (): { collection?: string } =>
      !isEmpty && bookmarksAction === 'move' && target.collection === null
        ? { collection: 'Please select a collection.' }
        : {},
    toInput: () => undefined,
    onSuccess: (result) => void finish(result),
  })

  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      {isEmpty ? (
        <p className="text-14 text-ink">
          {container.channels.length > 0
            ? `This collection is empty. Its ${pluralise(container.channels.length, 'channel')} will be deleted too.`
            : `This ${container.kind} is empty. You can't undo this.`}
        </p>
      ) : (
        <>
          <RadioChoices
            label={`What should happen to its ${pluralise(container.bookmarksCount, 'bookmark')}?`}
            name="bookmarks"
            value={bookmarksAction}
            onChange={setBookmarksAction}
            choices={[
              ...(container.parent === null
                ? []
                : ([
                    {
                      value: 'stay',
                      label: `Keep in ${container.parent.name}`,
                      hint: "They won't be in a channel.",
                    },
                  ] as const)),
              { value: 'move', label: 'Move to another collection', hint: 'Duplicates go to the trash.' },
              {
                value: 'delete',
                label: 'Move to trash',
                hint: `You can restore them for ${limits.trashRetentionDays} days.`,
              },
            ]}
          />
          {bookmarksAction === 'move' && (
            <DestinationFields
              channelOptional
              destination={target}
              onChange={(next) => {
                setTarget(next)
                form.reset()
              }}
              collections={collections}
              problems={form.fieldErrors}
            />
          )}
          {container.channels.length > 0 && (
            <p className="text-13 text-quiet">
              Its {pluralise(container.channels.length, 'channel')} will be deleted too.
            </p>
          )}
        </>
      )}
      <DialogFooter>
        <Button data-autofocus disabled={form.busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" tone="danger" busy={form.busy} busyText="Deleting...">
          {title}
        </Button>
      </DialogFooter>
    </form>
  )
}

/** Returns the viewer's collections and channels without the one that is deleted. */
function useMoveDestinations(container: Container) {
  const ownCollections = useOwnCollections()
  const list =
    container.kind === 'collection'
      ? ownCollections.list.filter(({ id }) => id !== container.id)
      : ownCollections.list.map((collection) => ({
          ...collection,
          channels: collection.channels.filter(({ id }) => id !== container.id),
        }))
  return { ...ownCollections, list }
}

/** Returns a text such as '3 bookmarks moved, 1 moved to trash.' */
function deletionResultText({ moved, trashed }: DeletionResult): string {
  const parts = [
    moved > 0 && `${pluralise(moved, 'bookmark')} moved`,
    trashed > 0 &&
      `${moved > 0 ? trashed.toLocaleString('en') : pluralise(trashed, 'bookmark')} moved to trash`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}
