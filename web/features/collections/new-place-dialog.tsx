import { createChannel, createCollection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { newIntent } from '../../intent.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAction } from '../settings/use-action.ts'
import { PlaceForm } from './place-form.tsx'

interface NewPlaceDialogProps {
  /** The collection that a channel is made in; null: a collection is made. */
  collection: { id: number; name: string } | null
  open: boolean
  onClose: () => void
}

/** Makes a collection, or a channel in one. In the middle of something else: saving/new-place.tsx. */
export function NewPlaceDialog({ collection, open, onClose }: NewPlaceDialogProps) {
  return collection === null ? (
    <Dialog open={open} onClose={onClose} title="New Collection">
      <NewPlaceForm inside={null} onClose={onClose} />
    </Dialog>
  ) : (
    <Dialog open={open} onClose={onClose} title="New Channel" description={`In ${collection.name}`}>
      <NewPlaceForm inside={collection.id} onClose={onClose} />
    </Dialog>
  )
}

function NewPlaceForm({ inside, onClose }: { inside: number | null; onClose: () => void }) {
  const client = useQueryClient()
  const router = useRouter()
  const [intent] = useState(newIntent)
  const { busy, problem, run } = useAction()
  const [words, setWords] = useState({ name: '', description: '' })
  const [access, setAccess] = useState<BookmarkAccess>('public')

  /** A collection is gone to; a channel shows on the page that one is on. */
  async function make(): Promise<string> {
    const body = { ...words, name: words.name.trim() }
    if (inside !== null) {
      const sent = { intent: intent.keyFor(body) }
      const made = await api(createChannel, { params: { id: inside }, body }, sent)
      await client.invalidateQueries({ queryKey: ['collections'] })
      return made.name
    }
    const whole = { ...body, access }
    const made = await api(createCollection, { body: whole }, { intent: intent.keyFor(whole) })
    void client.invalidateQueries({ queryKey: ['collections'] })
    await router.navigate({ to: '/collections/$id', params: { id: String(made.id) } })
    return made.name
  }

  async function submit(): Promise<void> {
    const done = await run(make)
    if (done === null) return
    onClose()
    toast(`${done.reply} created.`, { tone: 'success' })
  }

  return (
    <PlaceForm
      words={words}
      onWords={setWords}
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
