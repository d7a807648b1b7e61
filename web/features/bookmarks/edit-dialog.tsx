import { type Bookmark, splitTags } from '@reelmark/contract/bookmarks.ts'
import { accesses, type BookmarkAccess, type Orientation, orientations } from '@reelmark/contract/fields.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { updateBookmark } from '@reelmark/contract/own-bookmarks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Dialog, DialogFormEnd } from '../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'
import { isInPrivate, type Place } from '../saving/place.ts'
import { PlaceFields } from '../saving/place-fields.tsx'
import { ViewBookmark } from '../saving/save-failed.tsx'
import { orientationHint, orientationLabels } from '../saving/save-fields.tsx'
import { useOwnCollections } from '../saving/use-own-collections.ts'
import { problemText } from '../settings/problem-text.ts'
import { TagsInput } from '../tags/tags-input.tsx'
import { bookmarksChanged } from './after-change.ts'
import { bookmarkQuery } from './queries.ts'
import { type CollectProblem, collectProblem } from './use-collect.ts'

interface EditDialogProps {
  bookmark: Bookmark
  open: boolean
  onClose: () => void
}

/** Changes the user's own bookmark: title, description, tags, orientation, access and destination. */
export function EditDialog({ bookmark, open, onClose }: EditDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Edit Bookmark">
      <EditForm bookmark={bookmark} onClose={onClose} />
    </Dialog>
  )
}

const accessLabels: Record<BookmarkAccess, string> = { public: 'Public', private: 'Private' }

function EditForm({ bookmark, onClose }: { bookmark: Bookmark; onClose: () => void }) {
  const client = useQueryClient()
  const collections = useOwnCollections()
  const [place, setPlace] = useState<Place>({
    collection: bookmark.collection.id,
    channel: bookmark.channel?.id ?? null,
  })
  const [tags, setTags] = useState(() => bookmark.tags.map((tag) => tag.name).join(', '))
  const [access, setAccess] = useState(bookmark.access)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CollectProblem | null>(null)
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
    if (place.collection === null) return setMissing({ collection: 'Please select a collection.' })
    const orientation = text('orientation') as Orientation
    const isMoved =
      place.collection !== bookmark.collection.id || place.channel !== (bookmark.channel?.id ?? null)
    const body = {
      title,
      description: text('description'),
      tags: splitTags(tags),
      // A moderator's ruling is not the owner's choice.
      ...(orientation !== bookmark.video.orientation && { orientation }),
      access,
      ...(isMoved && { collection_id: place.collection, channel_id: place.channel }),
    }
    setBusy(true)
    setProblem(null)
    try {
      const changed = await api(updateBookmark, { params: { id: bookmark.id }, body })
      client.setQueryData(bookmarkQuery(bookmark.id).queryKey, changed)
      bookmarksChanged(client)
      onClose()
      toast('Bookmark updated.', { tone: 'success' })
    } catch (error) {
      setProblem({ ...collectProblem(error), text: problemText(error) })
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
      <Field label="Tags" hint="With commas between: short film, animation">
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
      <PlaceFields
        channelOptional
        place={place}
        onChange={(next) => {
          setPlace(next)
          setMissing({})
        }}
        collections={collections}
        problems={missing}
      />
      <Field
        label="Access"
        hint={
          isInPrivate(place, collections.list)
            ? 'The collection is private: only you will see this bookmark.'
            : access === 'private'
              ? 'Only you will see this bookmark.'
              : 'Everyone can see this bookmark.'
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
      <DialogFormEnd submit="Save" busy={busy} busyText="Saving..." onCancel={onClose} />
    </form>
  )
}
