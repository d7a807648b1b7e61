import { createChannel, createCollection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { createIdempotencyKey } from '../../shared/api/idempotency-key.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { ContainerForm } from './container-form.tsx'

interface NewContainerDialogProps {
  /** The collection that a channel is made in; null: a collection is made. */
  collection: { id: number; name: string } | null
  open: boolean
  onClose: () => void
}

/** Makes a collection, or a channel in one. In the middle of something else: saving/new-place.tsx. */
export function NewContainerDialog({ collection, open, onClose }: NewContainerDialogProps) {
  return collection === null ? (
    <Dialog open={open} onClose={onClose} title="New Collection">
      <NewContainerForm inside={null} onClose={onClose} />
    </Dialog>
  ) : (
    <Dialog open={open} onClose={onClose} title="New Channel" description={`In ${collection.name}`}>
      <NewContainerForm inside={collection.id} onClose={onClose} />
    </Dialog>
  )
}

function NewContainerForm({ inside, onClose }: { inside: number | null; onClose: () => void }) {
  const client = useQueryClient()
  const router = useRouter()
  const [idempotencyKey] = useState(createIdempotencyKey)
  const { busy, problem, run } = useSubmit()
  const [fields, setWords] = useState({ name: '', description: '' })
  const [access, setAccess] = useState<BookmarkAccess>('public')

  /** A collection is gone to; a channel shows on the page that one is on. */
  async function make(): Promise<string> {
    const body = { ...fields, name: fields.name.trim() }
    if (inside !== null) {
      const sent = { idempotencyKey: idempotencyKey.keyFor(body) }
      const created = await api(createChannel, { params: { id: inside }, body }, sent)
      await client.invalidateQueries({ queryKey: ['collections'] })
      return created.name
    }
    const whole = { ...body, access }
    const created = await api(
      createCollection,
      { body: whole },
      { idempotencyKey: idempotencyKey.keyFor(whole) },
    )
    void client.invalidateQueries({ queryKey: ['collections'] })
    await router.navigate({ to: '/collections/$id', params: { id: String(created.id) } })
    return created.name
  }

  async function submit(): Promise<void> {
    const done = await run(make)
    if (done === null) return
    onClose()
    toast(`${done.reply} created.`, { tone: 'success' })
  }

  return (
    <ContainerForm
      fields={fields}
      onFieldsChange={setWords}
      {...(inside === null && { access: { value: access, onChange: setAccess, hint: accessHint(access) } })}
      problem={problem}
      busy={busy}
      submit={{ text: 'Create', busyText: 'Creating...' }}
      onSubmit={() => void submit()}
      onCancel={onClose}
    />
  )
}

function accessHint(access: BookmarkAccess): string {
  return access === 'private'
    ? 'Only you can see this collection and everything in it.'
    : 'Anyone can see this collection and its public bookmarks.'
}
