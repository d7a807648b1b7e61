import { updateBookmark, uploadThumbnail } from '@reelmark/contract/bookmark-changes.ts'
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { metadataTextNames } from '@reelmark/contract/video-facts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AccessField } from '../access-field.tsx'
import { ViewBookmark } from '../add-bookmark/save-failure-notice.tsx'
import { existingBookmarkId } from '../collect/use-collect.ts'
import { type Destination, isInPrivateCollection } from '../destination/destination.ts'
import { DestinationFields } from '../destination/destination-fields.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { bookmarkQuery } from '../queries.ts'
import { PictureField } from '../thumbnail/picture-field.tsx'
import { DescriptionFields, VideoFactFields } from './edit-fields.tsx'
import { type EditValues, editErrors, editInput, editValuesOf, pictureSources } from './edit-values.ts'
import { FetchAgain } from './fetch-again.tsx'

interface EditBookmarkDialogProps {
  bookmark: Bookmark
  open: boolean
  onClose: () => void
}

/** Edits everything that the owner of a bookmark sets. */
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
  const [before] = useState(() => editValuesOf(bookmark))
  const [values, setValues] = useState(before)
  const [destination, setDestination] = useState<Destination>({
    collection: bookmark.collection.id,
    channel: bookmark.channel?.id ?? null,
  })
  const isMoved =
    destination.collection !== bookmark.collection.id ||
    destination.channel !== (bookmark.channel?.id ?? null)
  // A file that was stored is not sent again if the request after it failed.
  const storedFile = useRef<File | null>(null)
  const form = useApiForm(
    async ({ file, body }: { file: File | null; body: Input<typeof updateBookmark>['body'] }) => {
      if (file !== null && storedFile.current !== file) {
        await sendFile(bookmark.id, file)
        storedFile.current = file
      }
      return api(updateBookmark, { params: { id: bookmark.id }, body })
    },
    {
      fields: [
        'title',
        'thumbnail',
        'thumbnail_url',
        'embed_url',
        'duration',
        'start_seconds',
        'shape',
        ...metadataTextNames,
        'private_note',
        'tags',
        'orientation',
        'collection',
      ],
      validate: () => editErrors(values, before, destination),
      toInput: () => ({
        file: values.picture.source === 'file' ? values.picture.file : null,
        body: {
          ...editInput(values, before),
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
    },
  )
  const existingId = existingBookmarkId(form.error)
  const { reset } = form
  const change = useCallback(
    (changes: Partial<EditValues>) => {
      setValues((current) => ({ ...current, ...changes }))
      reset(changes.picture === undefined ? Object.keys(changes) : ['thumbnail', 'thumbnail_url'])
    },
    [reset],
  )

  const fields = { bookmark, values, onChange: change, errors: form.fieldErrors }
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      {form.errorText !== null && (
        <Notice ref={form.notice} tone="danger" urgent>
          <p>{form.errorText}</p>
          {existingId !== null && <ViewBookmark id={existingId} />}
        </Notice>
      )}
      <FetchAgain bookmark={bookmark} values={values} onApply={change} />
      <DescriptionFields {...fields} />
      <PictureField
        current={bookmark.video.thumbnail_large_url}
        title={bookmark.title}
        orientation={values.orientation}
        sourceUrl={bookmark.video.source_url}
        sources={pictureSources(bookmark)}
        value={values.picture}
        onChange={(changes) => change({ picture: { ...values.picture, ...changes } })}
        errors={form.fieldErrors}
      />
      <VideoFactFields {...fields} />
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
      <AccessField
        value={values.access}
        onChange={(access) => change({ access })}
        isHidden={isInPrivateCollection(destination, collections.list)}
      />
      <DialogFormFooter submit="Save" busy={form.busy} busyText="Saving..." onCancel={onClose} />
    </form>
  )
}

function sendFile(id: number, file: File): Promise<Bookmark> {
  const body = new FormData()
  body.set('thumbnail', file)
  return api(uploadThumbnail, { params: { id }, body })
}
