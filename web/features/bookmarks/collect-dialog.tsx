import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { likelyPlace, nowhere, type Place } from '../saving/place.ts'
import { PlaceFields } from '../saving/place-fields.tsx'
import { ViewBookmark } from '../saving/save-failed.tsx'
import { useOwnCollections } from '../saving/use-own-collections.ts'
import { useCollect } from './use-collect.ts'

interface CollectDialogProps {
  bookmark: { id: number; title: string }
  open: boolean
  onClose: () => void
}

/** Takes a bookmark into one's own collections. */
export function CollectDialog({ bookmark, open, onClose }: CollectDialogProps) {
  const router = useRouter()
  const onDone = (made: Bookmark) => {
    onClose()
    const path = `/bookmarks/${made.id}`
    toast(`Added to ${made.collection.name}.`, {
      tone: 'success',
      action: { label: 'View Bookmark', href: path, run: () => router.history.push(path) },
    })
  }
  return (
    <Dialog open={open} onClose={onClose} title="Add to Collection" description={bookmark.title}>
      <CollectForm bookmarkId={bookmark.id} onCancel={onClose} onDone={onDone} />
    </Dialog>
  )
}

interface CollectFormProps {
  bookmarkId: number
  onCancel: () => void
  onDone: (made: Bookmark) => void
}

const noProblems = {}

function CollectForm({ bookmarkId, onCancel, onDone }: CollectFormProps) {
  const collections = useOwnCollections()
  const { list } = collections
  const preferred = useSession().user?.profile?.default_bookmark_collection ?? null
  const [chosen, setChosen] = useState<Place | null>(null)
  const [missing, setMissing] = useState(false)
  const { busy, problem, collect, forget } = useCollect(bookmarkId)
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const place = chosen ?? (list.length === 0 ? nowhere : likelyPlace(list, { preferred }))
  const collection = list.find(({ id }) => id === place.collection)
  const channels = collection?.channels ?? []

  useEffect(() => {
    if (problem !== null) notice.current?.focus()
  }, [problem])

  function choose(next: Place): void {
    setChosen(next)
    setMissing(false)
    forget()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (collection === undefined) {
      setMissing(true)
      form.current?.querySelector<HTMLElement>('[name="collection"]')?.focus()
      return
    }
    const channel = channels.some(({ id }) => id === place.channel) ? place.channel : null
    const made = await collect({ collection: collection.id, channel })
    if (made !== null) onDone(made)
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => void submit(event)}
    >
      {problem !== null && (
        <Notice ref={notice} tone={problem.bookmarkId === null ? 'danger' : 'info'} urgent>
          <p>{problem.text}</p>
          {problem.bookmarkId !== null && <ViewBookmark id={problem.bookmarkId} />}
        </Notice>
      )}
      <PlaceFields
        autofocus
        channelOptional
        place={place}
        onChange={choose}
        collections={collections}
        problems={missing ? { collection: 'Please select a collection.' } : noProblems}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" tone="accent" busy={busy} busyText="Adding...">
          Add to Collection
        </Button>
      </div>
    </form>
  )
}
