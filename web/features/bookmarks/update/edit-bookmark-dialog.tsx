import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, splitTags } from '@reelmark/contract/bookmarks.ts'
import {
  accesses,
  type BookmarkAccess,
  type Orientation,
  orientations,
} from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { mapMetadataTexts, metadataTextNames } from '@reelmark/contract/video-facts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accessLabels } from '../../../shared/access-labels.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ViewBookmark } from '../add-bookmark/save-failure-notice.tsx'
import { orientationHint } from '../add-bookmark/save-fields.tsx'
import { existingBookmarkId } from '../collect/use-collect.ts'
import { type Destination, isInPrivateCollection } from '../destination/destination.ts'
import { DestinationFields } from '../destination/destination-fields.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { MetadataTextFields } from '../metadata-text-fields.tsx'
import { bookmarkQuery } from '../queries.ts'
import { TagsInput } from '../tags/tags-input.tsx'

interface EditBookmarkDialogProps {
  bookmark: Bookmark
  open: boolean
  onClose: () => void
}

/** Edits a bookmark of the viewer: title, description, tags, orientation, access and destination. */
export function EditBookmarkDialog({ bookmark, open, onClose }: EditBookmarkDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Edit Bookmark">
      <EditBookmarkForm bookmark={bookmark} onClose={onClose} />
    </Dialog>
  )
}

function EditBookmarkForm({ bookmark, onClose }: { bookmark: Bookmark; onClose: () => void }) {
  const client = useQueryClient()
  const collections = useOwnCollections()
  const [destination, setDestination] = useState<Destination>({
    collection: bookmark.collection.id,
    channel: bookmark.channel?.id ?? null,
  })
  const [tags, setTags] = useState(() => bookmark.tags.map((tag) => tag.name).join(', '))
  const [access, setAccess] = useState(bookmark.access)
  const isMoved =
    destination.collection !== bookmark.collection.id ||
    destination.channel !== (bookmark.channel?.id ?? null)
  const form = useApiForm(updateBookmark, {
    fields: ['title', ...metadataTextNames, 'tags', 'orientation', 'collection'],
    validate: ({ title }) => ({
      ...(title.trim() === '' && { title: 'Title is required.' }),
      ...(destination.collection === null && { collection: 'Please select a collection.' }),
    }),
    toInput: ({ title, orientation, ...values }) => ({
      params: { id: bookmark.id },
      body: {
        title: title.trim(),
        ...mapMetadataTexts((name) => values[name].trim()),
        tags: splitTags(tags),
        // Sent only if changed: the current value may be a moderator's ruling and not the owner's choice.
        ...(orientation !== bookmark.video.orientation && { orientation: orientation as Orientation }),
        access,
        ...(isMoved &&
          destination.collection !== null && {
            collection_id: destination.collection,
            channel_id: destination.channel,
          }),
      },
    }),
    onSuccess(updated) {
      client.setQueryData(bookmarkQuery(bookmark.id).queryKey, updated)
      invalidateBookmarks(client)
      onClose()
      toast('Bookmark updated.', { tone: 'success' })
    },
  })
  const existingId = existingBookmarkId(form.error)

  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      {form.errorText !== null && (
        <Notice ref={form.notice} tone="danger" urgent>
          <p>{form.errorText}</p>
          {existingId !== null && <ViewBookmark id={existingId} />}
        </Notice>
      )}
      <Field label="Title" required error={form.fieldErrors.title}>
        <Input data-autofocus name="title" defaultValue={bookmark.title} maxLength={limits.titleMax} />
      </Field>
      <MetadataTextFields values={bookmark} errors={form.fieldErrors} />
      <Field
        label="Tags"
        hint="Separate tags with commas, for example: short film, animation"
        error={form.fieldErrors.tags}
      >
        <TagsInput name="tags" value={tags} onChange={setTags} />
      </Field>
      <Field label="Orientation" hint={orientationHint} error={form.fieldErrors.orientation}>
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
          form.reset(['collection'])
        }}
        collections={collections}
        problems={form.fieldErrors}
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
          {accesses.map((option) => (
            <option key={option} value={option}>
              {accessLabels[option]}
            </option>
          ))}
        </Select>
      </Field>
      <DialogFormFooter submit="Save" busy={form.busy} busyText="Saving..." onCancel={onClose} />
    </form>
  )
}
