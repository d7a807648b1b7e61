import { updateChannel, updateCollection } from '@reelmark/contract/collections.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { useApiForm } from '../../shared/forms/use-api-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { toast } from '../../ui/toast.tsx'
import type { Container } from './container.ts'
import { type ContainerFields, ContainerForm, containerErrors } from './container-form.tsx'
import { CoverChoice } from './cover-choice.tsx'
import { channelQuery, collectionQuery } from './queries.ts'

interface EditContainerDialogProps {
  container: Container
  open: boolean
  onClose: () => void
}

/** Edits a collection or channel of the viewer: name, description, cover, and the access of a collection. */
export function EditContainerDialog({ container, open, onClose }: EditContainerDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={container.kind === 'collection' ? 'Edit Collection' : 'Edit Channel'}
    >
      <EditContainerForm container={container} onClose={onClose} />
    </Dialog>
  )
}

function EditContainerForm({ container, onClose }: { container: Container; onClose: () => void }) {
  const client = useQueryClient()
  const [access, setAccess] = useState(container.access)
  const [coverBookmark, setCoverBookmark] = useState(container.coverBookmark)

  const form = useApiForm(
    async (fields: ContainerFields) => {
      const params = { id: container.id }
      const body: Input<typeof updateChannel>['body'] = { ...fields }
      // Sent only if changed, because the chosen bookmark may no longer be in the container.
      if (coverBookmark !== container.coverBookmark) body.cover_bookmark_id = coverBookmark
      if (container.kind === 'channel') {
        const updated = await api(updateChannel, { params, body })
        client.setQueryData(channelQuery(container.id).queryKey, updated)
        return
      }
      const updated = await api(updateCollection, { params, body: { ...body, access } })
      client.setQueryData(collectionQuery(container.id).queryKey, updated)
    },
    {
      fields: ['name', 'description'],
      validate: containerErrors,
      toInput: ({ name, description }) => ({ name: name.trim(), description: description.trim() }),
      onSuccess() {
        void client.invalidateQueries()
        onClose()
        const what = container.kind === 'collection' ? 'Collection' : 'Channel'
        const isHidden = access === 'private' && container.access === 'public'
        toast(isHidden ? `${what} updated. It's now private.` : `${what} updated.`, { tone: 'success' })
      },
    },
  )

  return (
    <ContainerForm
      initial={container}
      {...(container.kind === 'collection' && {
        access: { value: access, onChange: setAccess, hint: accessHint(container, access) },
      })}
      form={form}
      submit={{ text: 'Save', busyText: 'Saving...' }}
      onCancel={onClose}
    >
      {container.bookmarksCount > 0 && (
        <CoverChoice container={container} value={coverBookmark} onChange={setCoverBookmark} />
      )}
    </ContainerForm>
  )
}

/** Returns what the chosen access means: a private collection hides everything in it. */
function accessHint({ access: before, bookmarksCount }: Container, access: string): string {
  if (access === 'public') {
    return before === 'public'
      ? 'Anyone can see this collection and its public bookmarks.'
      : 'Anyone will be able to see this collection and its public bookmarks.'
  }
  if (before === 'private')
    return 'Only you can see this collection and everything in it, including public bookmarks.'
  const all = bookmarksCount === 0 ? 'everything in it' : `its ${pluralise(bookmarksCount, 'bookmark')}`
  return `This collection and ${all} will be hidden from everyone else.`
}
