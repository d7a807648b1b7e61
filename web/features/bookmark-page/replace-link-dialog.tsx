import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { proposeLink } from '@reelmark/contract/link-proposals.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { replaceLink } from '@reelmark/contract/video-health.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { isApiError } from '../../shared/errors/api-error.ts'
import { errorMessage } from '../../shared/errors/error-message.ts'
import { useApiForm } from '../../shared/forms/use-api-form.ts'
import { Dialog, DialogFormFooter } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { RadioChoices } from '../../ui/radio-choices.tsx'
import { toast } from '../../ui/toast.tsx'
import { replacedForEveryoneText } from './link-proposals.tsx'
import { showMovedBookmark } from './show-moved-bookmark.ts'

interface ReplaceLinkDialogProps {
  bookmark: Bookmark
  open: boolean
  onClose: () => void
}

/** Asks for another link of a video that is gone, for the viewer's own bookmark or for everyone who saved it. */
export function ReplaceLinkDialog({ bookmark, open, onClose }: ReplaceLinkDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Replace the link"
      description="Titles, tags, notes and dates stay."
    >
      <ReplaceLinkForm bookmark={bookmark} onClose={onClose} />
    </Dialog>
  )
}

const scopes = [
  { value: 'own', label: 'Only my bookmark' },
  {
    value: 'everyone',
    label: 'For everyone who saved it',
    hint: `The owner of the first public bookmark or a moderator must agree. Moderators see your name. Everyone can return to the old link for ${limits.linkDeclineDays} days.`,
  },
] as const
type Scope = (typeof scopes)[number]['value']

/** Returns the bookmark with the new link, or whether the link is agreed on for everyone. */
async function sendLink({ id, source_url, scope }: { id: number; source_url: string; scope: Scope }) {
  const input = { params: { id }, body: { source_url } }
  return scope === 'own' ? { replaced: await api(replaceLink, input) } : api(proposeLink, input)
}

function ReplaceLinkForm({ bookmark, onClose }: Omit<ReplaceLinkDialogProps, 'open'>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [scope, setScope] = useState<Scope>('own')
  const form = useApiForm(sendLink, {
    fields: ['source_url'],
    validate: ({ source_url }): { source_url?: string } =>
      source_url.trim() === '' ? { source_url: 'Enter a link.' } : {},
    toInput: ({ source_url }) => ({ id: bookmark.id, source_url: source_url.trim(), scope }),
    errorText: (error) =>
      isApiError(error, 'already-reported')
        ? 'You already proposed a link for this video or reported it. Wait until that is decided.'
        : errorMessage(error),
    onSuccess(reply) {
      onClose()
      if ('is_agreed' in reply) {
        toast(
          reply.is_agreed ? replacedForEveryoneText : "Link proposed. We'll notify you of the decision.",
          {
            tone: 'success',
          },
        )
        return
      }
      showMovedBookmark(client, bookmark, reply.replaced)
      toast('Link replaced.', { tone: 'success' })
      if (reply.replaced.id !== bookmark.id) {
        void navigate({ to: '/bookmarks/$id', params: { id: `${reply.replaced.id}` }, replace: true })
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
      {bookmark.video.saves_count > 0 && (
        <RadioChoices
          label="Replace it for"
          name="scope"
          choices={scopes}
          value={scope}
          onChange={setScope}
        />
      )}
      <DialogFormFooter
        submit={scope === 'own' ? 'Replace' : 'Propose'}
        busy={form.busy}
        busyText="Checking..."
        onCancel={onClose}
      />
    </form>
  )
}
