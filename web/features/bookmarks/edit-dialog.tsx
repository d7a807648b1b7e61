import { type Bookmark, splitTags } from '@reelmark/contract/bookmarks.ts'
import { accesses, type BookmarkAccess } from '@reelmark/contract/fields.ts'
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

/** Changes a bookmark of one's own: words, tags, access and place. */
export function EditDialog({ bookmark, open, onClose }: EditDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Edit Bookmark">
      <EditForm bookmark={bookmark} onClose={onClose} />
    </Dialog>
  )
}

const accessLabels: Record<BookmarkAccess, string> = { public: 'Public', private: 'Private' }

const noProblems = {}

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
  const [missing, setMissing] = useState(false)
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem !== null) notice.current?.focus()
  }, [problem])

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    if (place.collection === null) return setMissing(true)
    const isMoved =
      place.collection !== bookmark.collection.id || place.channel !== (bookmark.channel?.id ?? null)
    const body = {
      title: text('title'),
      description: text('description'),
      tags: splitTags(tags),
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
      <Field label="Title" hint="Leave empty to use the video's title.">
        <Input data-autofocus name="title" defaultValue={bookmark.title} maxLength={limits.titleMax} />
      </Field>
      <Field label="Description" hint="Optional.">
        <Textarea name="description" defaultValue={bookmark.description} maxLength={limits.descriptionMax} />
      </Field>
      <Field label="Tags" hint="Separate tags with commas, for example: short film, animation">
        <TagsInput value={tags} onChange={setTags} />
      </Field>
      <PlaceFields
        channelOptional
        place={place}
        onChange={(next) => {
          setPlace(next)
          setMissing(false)
        }}
        collections={collections}
        problems={missing ? { collection: 'Please select a collection.' } : noProblems}
      />
      <Field
        label="Access"
        hint={
          isInPrivate(place, collections.list)
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
      <DialogFormEnd submit="Save" busy={busy} busyText="Saving..." onCancel={onClose} />
    </form>
  )
}
