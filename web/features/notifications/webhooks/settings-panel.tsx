import { deleteWebhook, updateWebhook, type Webhook } from '@reelmark/contract/webhooks.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import WebhookIcon from 'lucide-react/icons/webhook'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { SettingsList } from '../../../shared/pages/settings-list.tsx'
import { SettingsGroup, SettingsPanel, SettingsRow } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'
import { webhooksQuery } from './queries.ts'

/** Lists, creates, tests and deletes webhooks. */
export function WebhooksSettingsPanel() {
  const webhooks = useQuery(webhooksQuery)
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<Webhook | null>(null)
  const [opened, setOpened] = useState<number | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const shown = webhooks.data?.find(({ id }) => id === opened)

  return (
    <SettingsPanel
      title="Webhooks"
      lead="Let Reelmark call your own server when something happens, for example to download each video you save."
    >
      <SettingsGroup
        title="Your webhooks"
        action={
          <Button tone="accent" onClick={() => setCreating(true)}>
            Create a webhook
          </Button>
        }
      >
        <div ref={list} tabIndex={-1}>
          <SettingsList query={webhooks} label="Webhooks" subject="your webhooks" empty="No webhooks yet.">
            {(webhook) => (
              <WebhookRow
                key={webhook.id}
                webhook={webhook}
                onOpen={() => setOpened(webhook.id)}
                onRemove={() => setRemoving(webhook)}
              />
            )}
          </SettingsList>
        </div>
      </SettingsGroup>
      <SettingsGroup
        title="Check signatures"
        lead={
          <>
            Requests are signed as{' '}
            <a
              href="https://www.standardwebhooks.com"
              rel="noreferrer"
              className="text-accent-ink underline underline-offset-2"
            >
              Standard Webhooks
            </a>{' '}
            describes. Verify the signature with one of its libraries and the secret shown when you create the
            webhook.
          </>
        }
      />
      <NewWebhookDialog open={creating} onClose={() => setCreating(false)} />
      <DeliveriesDialog webhook={shown ?? null} onClose={() => setOpened(null)} />
      <ConfirmRemovalDialog
        open={removing !== null}
        title="Delete this webhook?"
        action="Delete webhook"
        call={() => api(deleteWebhook, { params: { id: removing?.id ?? 0 } })}
        onClose={() => setRemoving(null)}
        onDone={() => {
          const id = removing?.id
          client.setQueryData(webhooksQuery.queryKey, (old) => old?.filter((webhook) => webhook.id !== id))
          list.current?.focus()
        }}
      >
        {removing?.url} gets no further events. Events that are waiting aren't sent.
      </ConfirmRemovalDialog>
    </SettingsPanel>
  )
}

interface WebhookRowProps {
  webhook: Webhook
  onOpen: () => void
  onRemove: () => void
}

function WebhookRow({ webhook, onOpen, onRemove }: WebhookRowProps) {
  const { id, url, events, is_enabled, failures, created_at } = webhook
  const client = useQueryClient()
  const toggle = useApiMutation(updateWebhook, {
    onSuccess: (changed) => {
      client.setQueryData(webhooksQuery.queryKey, (old) =>
        old?.map((webhook) => (webhook.id === id ? changed : webhook)),
      )
    },
  })
  return (
    <SettingsRow
      icon={<WebhookIcon className="size-5" />}
      title={url}
      badge={
        <>
          {!is_enabled && <Badge tone="danger">Off</Badge>}
          {is_enabled && failures > 0 && <Badge tone="danger">Failing</Badge>}
        </>
      }
      facts={
        <>
          <span className="font-mono">{events.join(', ')}</span>
          <span>
            Created <RelativeTime time={created_at} />
          </span>
          {toggle.errorText !== null && (
            <span role="alert" className="text-danger">
              {toggle.errorText}
            </span>
          )}
        </>
      }
      actions={
        <>
          <Button size="sm" aria-label={`Events sent to ${url}`} aria-haspopup="dialog" onClick={onOpen}>
            Events
          </Button>
          <Button
            size="sm"
            aria-label={`Turn ${is_enabled ? 'off' : 'on'} ${url}`}
            busy={toggle.busy}
            onClick={() => void toggle.run({ params: { id }, body: { is_enabled: !is_enabled } })}
          >
            {is_enabled ? 'Turn off' : 'Turn on'}
          </Button>
          <Button size="sm" aria-label={`Delete ${url}`} aria-haspopup="dialog" onClick={onRemove}>
            Delete
          </Button>
        </>
      }
    />
  )
}
