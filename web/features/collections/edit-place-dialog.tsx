import { updateChannel, updateCollection } from '@reelmark/contract/collections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAction } from '../settings/use-action.ts'
import { PictureChoice } from './picture-choice.tsx'
import { countOf, type ShownPlace } from './place.ts'
import { PlaceForm } from './place-form.tsx'
import { channelQuery, collectionQuery } from './queries.ts'

interface EditPlaceDialogProps {
  place: ShownPlace
  open: boolean
  onClose: () => void
}

/** Changes a collection or channel of one's own: words, picture, and who sees the collection. */
export function EditPlaceDialog({ place, open, onClose }: EditPlaceDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={place.kind === 'collection' ? 'Edit Collection' : 'Edit Channel'}
    >
      <EditForm place={place} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ place, onClose }: { place: ShownPlace; onClose: () => void }) {
  const client = useQueryClient()
  const { busy, problem, run } = useAction()
  const [words, setWords] = useState({ name: place.name, description: place.description })
  const [access, setAccess] = useState(place.access)
  const [picture, setPicture] = useState(place.pictureBookmark)

  /** The whole of it, as the page shows it from then on. */
  async function change(): Promise<void> {
    const params = { id: place.id }
    const body = {
      name: words.name.trim(),
      description: words.description.trim(),
      // What was chosen may have left the place since: only another choice is sent.
      ...(picture === place.pictureBookmark ? {} : { cover_bookmark_id: picture }),
    }
    if (place.kind === 'channel') {
      const changed = await api(updateChannel, { params, body })
      client.setQueryData(channelQuery(place.id).queryKey, changed)
      return
    }
    const changed = await api(updateCollection, { params, body: { ...body, access } })
    client.setQueryData(collectionQuery(place.id).queryKey, changed)
  }

  async function submit(): Promise<void> {
    if ((await run(change)) === null) return
    void client.invalidateQueries()
    onClose()
    const what = place.kind === 'collection' ? 'Collection' : 'Channel'
    const isHidden = access === 'private' && place.access === 'public'
    toast(isHidden ? `${what} updated. Only you see it now.` : `${what} updated.`, { tone: 'success' })
  }

  return (
    <PlaceForm
      words={words}
      onWords={setWords}
      {...(place.kind === 'collection' && {
        access: { value: access, onChange: setAccess, hint: accessHint(place, access) },
      })}
      problem={problem}
      busy={busy}
      submit={{ text: 'Save', busyText: 'Saving...' }}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      {place.bookmarksCount > 0 && <PictureChoice place={place} value={picture} onChange={setPicture} />}
    </PlaceForm>
  )
}

/** What follows from the choice: a private collection hides everything in it (decisions.md, Visibility). */
function accessHint({ access: before, bookmarksCount }: ShownPlace, access: string): string {
  if (access === 'public') {
    return before === 'public'
      ? 'Everyone can see it, and the public bookmarks in it.'
      : 'Everyone will see it, and the bookmarks in it that are public themselves.'
  }
  if (before === 'private') return 'Only you see it and everything in it, whatever its bookmarks say.'
  const all = bookmarksCount === 0 ? 'everything in it' : `the ${countOf(bookmarksCount, 'bookmark')} in it`
  return `It will be hidden from everyone else, with ${all}, whatever those say.`
}
