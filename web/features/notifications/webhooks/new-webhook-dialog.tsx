import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { createWebhook, webhookEvents } from '@reelmark/contract/webhooks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ShownOnce } from '../../../shared/forms/shown-once.tsx'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Checkbox, Field, Input } from '../../../ui/field.tsx'
import { eventLabels, webhooksQuery } from './queries.ts'

/** A dialog that creates a webhook and shows its secret once. */
export function NewWebhookDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<{ url: string; secret: string } | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={created === null ? 'Create a webhook' : 'Copy the secret now'}
      description={created === null ? undefined : "You won't see it again."}
    >
      {created === null ? (
        <NewWebhookForm onCancel={close} onCreated={setCreated} />
      ) : (
        <ShownOnce name={created.url} secret={created.secret} copyLabel="Copy the secret" onClose={close}>
          Your server needs it to check that requests come from here.
        </ShownOnce>
      )}
    </Dialog>
  )
}

interface NewWebhookFormProps {
  onCancel: () => void
  onCreated: (created: { url: string; secret: string }) => void
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
      onCreated({ url: webhook.url, secret })
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
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-14 font-medium text-ink">Events</legend>
        {available.map((event) => (
          <Checkbox
            key={event}
            name="events"
            label={eventLabels[event]}
            hint={event}
            value={event}
            defaultChecked={event === 'bookmark.created'}
          />
        ))}
        {form.fieldErrors.events !== undefined && (
          <p role="alert" className="mt-1 text-13 text-danger">
            {form.fieldErrors.events}
          </p>
        )}
      </fieldset>
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={form.busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" tone="accent" busy={form.busy} busyText="Creating...">
          Create webhook
        </Button>
      </div>
    </form>
  )
}
