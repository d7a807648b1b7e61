import { splitTags, type Video } from '@reelmark/contract/bookmarks.ts'
import { editBookmark, editVideo } from '@reelmark/contract/decisions.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { findLengthErrors } from '../../../shared/forms/find-length-error.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { OrientationOptions } from '../../../shared/orientation/orientation-options.tsx'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Checkbox, Field, Input, Textarea } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import {
  EmbedUrlField,
  hasFixedPlayer,
  PictureField,
  pictureErrors,
  pictureLinkInput,
  samePicture,
  TagsInput,
} from '../../bookmarks/public-api.ts'

interface EditableVideoFields {
  id: number
  title: string
  description: string
  tags: readonly string[]
}

export interface EditVideoDialogProps {
  video: EditableVideoFields &
    Pick<
      Video,
      'source_url' | 'orientation' | 'host' | 'provider' | 'embed_url' | 'thumbnail_url' | 'uploader_name'
    >
  /** The bookmark to edit; null to edit the video only. */
  bookmark: EditableVideoFields | null
  open: boolean
  onClose: () => void
  /** Runs after saving, when all queries were invalidated. */
  onSaved?: () => void
}

/** Lets moderators edit a video, and the title, description and tags of one of its bookmarks. */
export function EditVideoDialog({ open, onClose, ...rest }: EditVideoDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={rest.bookmark === null ? 'Edit Video' : 'Edit Video & Bookmark'}
    >
      <EditVideoForm {...rest} onClose={onClose} />
    </Dialog>
  )
}

const fieldNames = [
  'video_title',
  'video_description',
  'video_tags',
  'source_url',
  'thumbnail_url',
  'embed_url',
  'orientation',
  'bookmark_title',
  'bookmark_description',
  'bookmark_tags',
] as const

const maxLengths = {
  video_title: limits.titleMax,
  video_description: limits.descriptionMax,
  bookmark_title: limits.titleMax,
  bookmark_description: limits.descriptionMax,
}

function EditVideoForm({ video, bookmark, onClose, onSaved }: Omit<EditVideoDialogProps, 'open'>) {
  const client = useQueryClient()
  const [videoTags, setVideoTags] = useState(video.tags.join(', '))
  const [picture, setPicture] = useState(samePicture)
  const [embedUrl, setEmbedUrl] = useState(video.embed_url ?? '')
  const [isUploaderRemoved, setUploaderRemoved] = useState(false)
  const [bookmarkTags, setBookmarkTags] = useState(bookmark?.tags.join(', ') ?? '')

  const form = useApiForm(
    async (values: Record<(typeof fieldNames)[number], string>) => {
      // The video's title, description and tags are those of its lead bookmark, which may be the bookmark below. Each
      // call sends only what was changed, so that neither overwrites the other.
      const videoChanges = findChanges(video, {
        title: values.video_title.trim(),
        description: values.video_description.trim(),
        tags: splitTags(videoTags),
        source_url: values.source_url.trim(),
        orientation: values.orientation as Orientation,
      })
      const body = {
        ...videoChanges,
        ...pictureLinkInput(picture),
        ...(isUploaderRemoved && { is_uploader_removed: true }),
        ...(embedUrl.trim() !== (video.embed_url ?? '') && { embed_url: embedUrl.trim() }),
      }
      if (Object.keys(body).length > 0) await api(editVideo, { params: { id: video.id }, body })
      if (bookmark === null) return
      const bookmarkChanges = findChanges(bookmark, {
        title: values.bookmark_title.trim(),
        description: values.bookmark_description.trim(),
        tags: splitTags(bookmarkTags),
      })
      if (bookmarkChanges !== null)
        await api(editBookmark, { params: { id: bookmark.id }, body: bookmarkChanges })
    },
    {
      fields: fieldNames,
      validate: (values) => ({
        ...findLengthErrors(values, maxLengths),
        ...(values.video_title.trim() === '' && { video_title: 'Video title is required.' }),
        ...(bookmark !== null &&
          values.bookmark_title.trim() === '' && { bookmark_title: 'Bookmark title is required.' }),
        ...pictureErrors(picture),
      }),
      toInput: (values) => values,
      onSuccess() {
        void client.invalidateQueries()
        onClose()
        toast(bookmark === null ? 'Video updated.' : 'Video and bookmark updated.', { tone: 'success' })
        onSaved?.()
      },
      // The specification prescribes this text (docs/behaviour.md, Forms and messages).
      errorText: (error) => errorMessage(error, 'Failed to update.'),
    },
  )

  return (
    <form {...form.props} className="flex flex-col gap-8 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <FieldGroup
        title="Video"
        lead="Link, picture, player and orientation apply to everyone who saved it. Title, description and tags are those of its first public bookmark."
      >
        <Field label="Video title" required error={form.fieldErrors.video_title}>
          <Input data-autofocus name="video_title" defaultValue={video.title} />
        </Field>
        <Field label="Video description" error={form.fieldErrors.video_description}>
          <Textarea name="video_description" defaultValue={video.description} />
        </Field>
        <Field label="Video tags" hint="Separate tags with commas, for example: short film, animation">
          <TagsInput name="video_tags" value={videoTags} onChange={setVideoTags} />
        </Field>
        <Field label="Source link" error={form.fieldErrors.source_url}>
          <Input
            type="url"
            name="source_url"
            inputMode="url"
            autoComplete="off"
            defaultValue={video.source_url}
            maxLength={limits.urlMax}
          />
        </Field>
        <PictureField
          current={video.thumbnail_url}
          title={video.title}
          orientation={video.orientation}
          sourceUrl={video.source_url}
          sources={['same', 'offered', 'link', 'site']}
          value={picture}
          onChange={(changes) => {
            setPicture((before) => ({ ...before, ...changes }))
            form.reset(['thumbnail_url'])
          }}
          errors={form.fieldErrors}
        />
        <EmbedUrlField
          host={video.host}
          isFixed={hasFixedPlayer(video)}
          value={embedUrl}
          onChange={setEmbedUrl}
          error={form.fieldErrors.embed_url}
        />
        <Field label="Orientation" hint="Use SFW only for content that's safe for work.">
          <Select name="orientation" defaultValue={video.orientation}>
            <OrientationOptions />
          </Select>
        </Field>
        {video.uploader_name != null && (
          <Checkbox
            checked={isUploaderRemoved}
            onChange={(event) => setUploaderRemoved(event.target.checked)}
            label={`Remove the uploader “${video.uploader_name}”`}
            hint="It isn't added again."
          />
        )}
      </FieldGroup>
      {bookmark !== null && (
        <FieldGroup title="Bookmark" lead="What the owner of this bookmark entered.">
          <Field label="Bookmark title" required error={form.fieldErrors.bookmark_title}>
            <Input
              name="bookmark_title"
              // A bookmark without a title is shown with the video's.
              defaultValue={bookmark.title || video.title}
            />
          </Field>
          <Field label="Bookmark description" error={form.fieldErrors.bookmark_description}>
            <Textarea name="bookmark_description" defaultValue={bookmark.description} />
          </Field>
          <Field label="Bookmark tags" hint="Separate tags with commas, for example: short film, animation">
            <TagsInput name="bookmark_tags" value={bookmarkTags} onChange={setBookmarkTags} />
          </Field>
        </FieldGroup>
      )}
      <DialogFormFooter submit="Save" busy={form.busy} busyText="Saving..." onCancel={onClose} />
    </form>
  )
}

/** Returns the fields of `values` that differ from those of `before`, or null if none does. */
function findChanges<Values extends object>(
  before: { readonly [Name in keyof Values]: unknown },
  values: Values,
): Partial<Values> | null {
  const changed = Object.entries(values).filter(
    ([name, value]) => String(value) !== String(before[name as keyof Values]),
  )
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Values>)
}

function FieldGroup({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-5">
      <legend className="mb-4">
        <span className="block text-16 font-semibold text-ink">{title}</span>
        <span className="block text-13 text-quiet">{lead}</span>
      </legend>
      {children}
    </fieldset>
  )
}
