import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { createWebhook, webhookEvents } from '@reelmark/contract/webhooks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CheckboxGroup } from '../../../shared/forms/checkbox-group.tsx'
import { type NewSecret, SecretDialog } from '../../../shared/forms/secret-dialog.tsx'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useSession } from '../../../shared/session/session.ts'
import { DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { eventLabels, webhooksQuery } from './queries.ts'

/** A dialog that creates a webhook and shows its secret once. */
export function NewWebhookDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <SecretDialog
      open={open}
      onClose={onClose}
      title="Create a webhook"
      secretTitle="Copy the secret now"
      copyLabel="Copy the secret"
      warning="Your server needs it to check that requests come from here."
    >
      {(form) => <NewWebhookForm {...form} />}
    </SecretDialog>
  )
}

interface NewWebhookFormProps {
  onCancel: () => void
  onCreated: (created: NewSecret) => void
}

function NewWebhookForm({ onCancel, onCreated }: NewWebhookFormProps) {
  const client = useQueryClient()
  const { isModerator } = useSession()
  const available = webhookEvents.filter((event) => event !== 'report.created' || isModerator)
  const chosen = (data: FormData) => available.filter((event) => data.getAll('events').includes(event))
  const form = useApiForm(createWebhook, {
    fields: ['url', 'events'],
    validate: ({ url }, data) => ({
      ...(!isHttpUrl(url.trim()) && { url: 'Enter a URL that starts with https:// or http://.' }),
      ...(chosen(data).length === 0 && { events: 'Select at least one event.' }),
    }),
    toInput: ({ url }, data) => ({ body: { url: url.trim(), events: chosen(data) } }),
    onSuccess: ({ secret, ...webhook }) => {
      client.setQueryData(webhooksQuery.queryKey, (old) => old && [webhook, ...old])
      onCreated({ name: webhook.url, secret })
    },
  })
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field
        label="URL"
        hint="An address of your server that everyone can reach."
        error={form.fieldErrors.url}
      >
        <Input
          aria-required
          data-autofocus
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={limits.urlMax}
          placeholder="https://"
        />
      </Field>
      <CheckboxGroup
        legend="Events"
        name="events"
        choices={available.map((event) => ({ value: event, label: eventLabels[event], hint: event }))}
        initial="bookmark.created"
        error={form.fieldErrors.events}
      />
      <DialogFormFooter submit="Create webhook" busy={form.busy} busyText="Creating..." onCancel={onCancel} />
    </form>
  )
}
