import { createChannel, createCollection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { useApiForm } from '../../shared/forms/use-api-form.ts'
import { useDefaultAccess } from '../../shared/session/use-default-access.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { type ContainerFields, ContainerForm, containerErrors } from './container-form.tsx'

interface NewContainerDialogProps {
  /** The collection to create a channel in; null to create a collection. */
  collection: { id: number; name: string } | null
  open: boolean
  onClose: () => void
}

/** Creates a collection, or a channel in one. `NewDestination` does so inside another form. */
export function NewContainerDialog({ collection, open, onClose }: NewContainerDialogProps) {
  return collection === null ? (
    <Dialog open={open} onClose={onClose} title="New Collection">
      <NewContainerForm collectionId={null} onClose={onClose} />
    </Dialog>
  ) : (
    <Dialog open={open} onClose={onClose} title="New Channel" description={`In ${collection.name}`}>
      <NewContainerForm collectionId={collection.id} onClose={onClose} />
    </Dialog>
  )
}

function NewContainerForm({ collectionId, onClose }: { collectionId: number | null; onClose: () => void }) {
  const client = useQueryClient()
  const router = useRouter()
  const [chosenAccess, setAccess] = useState<BookmarkAccess | null>(null)
  const defaultAccess = useDefaultAccess()
  const access = chosenAccess ?? defaultAccess

  /** Opens a new collection. A new channel appears on the current page. */
  const form = useApiForm(
    async ({ access, ...fields }: ContainerFields & { access: BookmarkAccess }, options) => {
      if (collectionId !== null) {
        const created = await api(createChannel, { params: { id: collectionId }, body: fields }, options)
        await client.invalidateQueries({ queryKey: ['collections'] })
        return created.name
      }
      const created = await api(createCollection, { body: { ...fields, access } }, options)
      void client.invalidateQueries({ queryKey: ['collections'] })
      await router.navigate({ to: '/collections/$id', params: { id: String(created.id) } })
      return created.name
    },
    {
      fields: ['name', 'description'],
      validate: containerErrors,
      toInput: ({ name, description }) => ({ name: name.trim(), description, access }),
      onSuccess(name) {
        onClose()
        toast(`${name} created.`, { tone: 'success' })
      },
    },
  )

  return (
    <ContainerForm
      initial={{ name: '', description: '' }}
      {...(collectionId === null && {
        access: { value: access, onChange: setAccess, hint: accessHint(access) },
      })}
      form={form}
      submit={{ text: 'Create', busyText: 'Creating...' }}
      onCancel={onClose}
    />
  )
}

function accessHint(access: BookmarkAccess): string {
  return access === 'private'
    ? 'Only you can see this collection and everything in it.'
    : 'Anyone can see this collection and its public bookmarks.'
}
