import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, splitTags } from '@reelmark/contract/bookmarks.ts'
import {
  accesses,
  type BookmarkAccess,
  type Orientation,
  orientations,
} from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ViewBookmark } from '../add-bookmark/save-failure-notice.tsx'
import { orientationHint } from '../add-bookmark/save-fields.tsx'
import { type CollectError, collectErrorFrom } from '../collect/use-collect.ts'
import { type Destination, isInPrivateCollection } from '../destination/destination.ts'
import { DestinationFields } from '../destination/destination-fields.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { bookmarkQuery } from '../queries.ts'
import { TagsInput } from '../tags/tags-input.tsx'

interface EditBookmarkDialogProps {
  bookmark: Bookmark
  open: boolean
  onClose: () => void
}

/** Changes the user's own bookmark: title, description, tags, orientation, access and destination. */
export function EditBookmarkDialog({ bookmark, open, onClose }: EditBookmarkDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Edit Bookmark">
      <EditBookmarkForm bookmark={bookmark} onClose={onClose} />
    </Dialog>
  )
}

const accessLabels: Record<BookmarkAccess, string> = { public: 'Public', private: 'Private' }

function EditBookmarkForm({ bookmark, onClose }: { bookmark: Bookmark; onClose: () => void }) {
  const client = useQueryClient()
  const collections = useOwnCollections()
  const [destination, setDestination] = useState<Destination>({
    collection: bookmark.collection.id,
    channel: bookmark.channel?.id ?? null,
  })
  const [tags, setTags] = useState(() => bookmark.tags.map((tag) => tag.name).join(', '))
  const [access, setAccess] = useState(bookmark.access)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CollectError | null>(null)
  const [missing, setMissing] = useState<{ title?: string; collection?: string }>({})
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem !== null) notice.current?.focus()
  }, [problem])

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const title = text('title')
    if (title === '') return setMissing({ title: 'Title is required.' })
    if (destination.collection === null) return setMissing({ collection: 'Please select a collection.' })
    const orientation = text('orientation') as Orientation
    const isMoved =
      destination.collection !== bookmark.collection.id ||
      destination.channel !== (bookmark.channel?.id ?? null)
    const body = {
      title,
      description: text('description'),
      tags: splitTags(tags),
      // A moderator's ruling is not the owner's choice.
      ...(orientation !== bookmark.video.orientation && { orientation }),
      access,
      ...(isMoved && { collection_id: destination.collection, channel_id: destination.channel }),
    }
    setBusy(true)
    setProblem(null)
    try {
      const changed = await api(updateBookmark, { params: { id: bookmark.id }, body })
      client.setQueryData(bookmarkQuery(bookmark.id).queryKey, changed)
      invalidateBookmarks(client)
      onClose()
      toast('Bookmark updated.', { tone: 'success' })
    } catch (error) {
      setProblem({ ...collectErrorFrom(error), text: errorMessage(error) })
      setBusy(false)
    }
  }

  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => void submit(event)}
    >
      {problem !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problem.text}</p>
          {problem.bookmarkId !== null && <ViewBookmark id={problem.bookmarkId} />}
        </Notice>
      )}
      <Field label="Title" required error={missing.title}>
        <Input data-autofocus name="title" defaultValue={bookmark.title} maxLength={limits.titleMax} />
      </Field>
      <Field label="Description" hint="Optional.">
        <Textarea name="description" defaultValue={bookmark.description} maxLength={limits.descriptionMax} />
      </Field>
      <Field label="Tags" hint="Separate tags with commas, for example: short film, animation">
        <TagsInput value={tags} onChange={setTags} />
      </Field>
      <Field label="Orientation" hint={orientationHint}>
        <Select name="orientation" defaultValue={bookmark.video.orientation}>
          {orientations.map((orientation) => (
            <option key={orientation} value={orientation}>
              {orientationLabels[orientation]}
            </option>
          ))}
        </Select>
      </Field>
      <DestinationFields
        channelOptional
        destination={destination}
        onChange={(next) => {
          setDestination(next)
          setMissing({})
        }}
        collections={collections}
        problems={missing}
      />
      <Field
        label="Access"
        hint={
          isInPrivateCollection(destination, collections.list)
            ? 'Only you can see this bookmark, because its collection is private.'
            : access === 'private'
              ? 'Only you can see this bookmark.'
              : 'Anyone can see this bookmark.'
        }
      >
        <Select
          name="access"
          value={access}
          onChange={(event) => setAccess(event.target.value as BookmarkAccess)}
        >
          {accesses.map((one) => (
            <option key={one} value={one}>
              {accessLabels[one]}
            </option>
          ))}
        </Select>
      </Field>
      <DialogFormFooter submit="Save" busy={busy} busyText="Saving..." onCancel={onClose} />
    </form>
  )
}
