import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { replaceLink } from '@reelmark/contract/video-health.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApiForm } from '../../shared/forms/use-api-form.ts'
import { Dialog, DialogFormFooter } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { bookmarkQuery, invalidateBookmarks } from '../bookmarks/public-api.ts'

interface ReplaceLinkDialogProps {
  bookmark: Bookmark
  open: boolean
  onClose: () => void
}

/** Asks for another link of a video that is gone, for the viewer's own bookmark. */
export function ReplaceLinkDialog({ bookmark, open, onClose }: ReplaceLinkDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Replace the link"
      description="Your title, tags, notes and date stay. Only your bookmark changes."
    >
      <ReplaceLinkForm bookmark={bookmark} onClose={onClose} />
    </Dialog>
  )
}

function ReplaceLinkForm({ bookmark, onClose }: Omit<ReplaceLinkDialogProps, 'open'>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useApiForm(replaceLink, {
    fields: ['source_url'],
    validate: ({ source_url }): { source_url?: string } =>
      source_url.trim() === '' ? { source_url: 'Enter a link.' } : {},
    toInput: ({ source_url }) => ({
      params: { id: bookmark.id },
      body: { source_url: source_url.trim() },
    }),
    onSuccess(replaced) {
      client.setQueryData(bookmarkQuery(replaced.id).queryKey, replaced)
      invalidateBookmarks(client)
      onClose()
      toast('Link replaced.', { tone: 'success' })
      if (replaced.id !== bookmark.id) {
        void navigate({ to: '/bookmarks/$id', params: { id: `${replaced.id}` }, replace: true })
      }
    },
  })
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field
        label="Link"
        hint="The page of the same video, there or on another site."
        error={form.fieldErrors.source_url}
        required
      >
        <Input
          data-autofocus
          name="source_url"
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={limits.urlMax}
          placeholder="https://"
        />
      </Field>
      <DialogFormFooter submit="Replace" busy={form.busy} busyText="Checking..." onCancel={onClose} />
    </form>
  )
}
