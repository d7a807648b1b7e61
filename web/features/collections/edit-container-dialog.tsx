import { updateChannel, updateCollection } from '@reelmark/contract/collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { toast } from '../../ui/toast.tsx'
import type { Container } from './container.ts'
import { ContainerForm } from './container-form.tsx'
import { CoverChoice } from './cover-choice.tsx'
import { channelQuery, collectionQuery } from './queries.ts'

interface EditContainerDialogProps {
  container: Container
  open: boolean
  onClose: () => void
}

/** Changes a collection or channel of one's own: words, picture, and who sees the collection. */
export function EditContainerDialog({ container, open, onClose }: EditContainerDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={container.kind === 'collection' ? 'Edit Collection' : 'Edit Channel'}
    >
      <EditContainerForm place={container} onClose={onClose} />
    </Dialog>
  )
}

function EditContainerForm({ place: container, onClose }: { place: Container; onClose: () => void }) {
  const client = useQueryClient()
  const { busy, problem, run } = useSubmit()
  const [fields, setWords] = useState({ name: container.name, description: container.description })
  const [access, setAccess] = useState(container.access)
  const [picture, setPicture] = useState(container.coverBookmark)

  /** The whole of it, as the page shows it from then on. */
  async function change(): Promise<void> {
    const params = { id: container.id }
    const body = {
      name: fields.name.trim(),
      description: fields.description.trim(),
      // What was chosen may have left the place since: only another choice is sent.
      ...(picture === container.coverBookmark ? {} : { cover_bookmark_id: picture }),
    }
    if (container.kind === 'channel') {
      const changed = await api(updateChannel, { params, body })
      client.setQueryData(channelQuery(container.id).queryKey, changed)
      return
    }
    const changed = await api(updateCollection, { params, body: { ...body, access } })
    client.setQueryData(collectionQuery(container.id).queryKey, changed)
  }

  async function submit(): Promise<void> {
    if ((await run(change)) === null) return
    void client.invalidateQueries()
    onClose()
    const what = container.kind === 'collection' ? 'Collection' : 'Channel'
    const isHidden = access === 'private' && container.access === 'public'
    toast(isHidden ? `${what} updated. It's now private.` : `${what} updated.`, { tone: 'success' })
  }

  return (
    <ContainerForm
      fields={fields}
      onFieldsChange={setWords}
      {...(container.kind === 'collection' && {
        access: { value: access, onChange: setAccess, hint: accessHint(container, access) },
      })}
      problem={problem}
      busy={busy}
      submit={{ text: 'Save', busyText: 'Saving...' }}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      {container.bookmarksCount > 0 && (
        <CoverChoice container={container} value={picture} onChange={setPicture} />
      )}
    </ContainerForm>
  )
}

/** Explains the choice: a private collection hides everything in it (docs/behaviour.md, Visibility). */
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
