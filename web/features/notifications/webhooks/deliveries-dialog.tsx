import {
  resendWebhookDelivery,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
} from '@reelmark/contract/webhooks.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { SettingsList } from '../../../shared/pages/settings-list.tsx'
import { SettingsRow } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { deliveriesQuery, webhooksQuery } from './queries.ts'

/** A dialog that lists what a webhook sent, sends tests, and sends events again. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  return (
    <Dialog
      open={webhook !== null}
      onClose={onClose}
      kind="wide"
      title="Events"
      description="Events of the last 7 days, newest first."
    >
      {webhook !== null && <Deliveries webhook={webhook} />}
    </Dialog>
  )
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { id } = webhook
  const client = useQueryClient()
  const deliveries = useQuery(deliveriesQuery(id))
  const changes = useDeliveryChanges(deliveries.data)
  const refresh = () => {
    void client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  }
  const test = useApiMutation(testWebhook, { onSuccess: refresh })
  const resend = useApiMutation(resendWebhookDelivery, { onSuccess: refresh })
  return (
    <div className="flex flex-col gap-4 pt-1">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-14 wrap-anywhere text-quiet">{webhook.url}</p>
        <Button busy={test.busy} busyText="Sending..." onClick={() => void test.run({ params: { id } })}>
          Send a test
        </Button>
      </div>
      <ErrorNotice text={test.errorText ?? resend.errorText} />
      <p role="status" className="sr-only">
        {changes}
      </p>
      <SettingsList
        query={deliveries}
        label="Events"
        subject="the events"
        empty="No events yet. Send a test to see how it works."
      >
        {(delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            onResend={
              webhook.is_enabled ? () => void resend.run({ params: { id, delivery: delivery.id } }) : null
            }
          />
        )}
      </SettingsList>
    </div>
  )
}

/** How many changes are announced one by one. */
const namedChanges = 3

/** Returns what changed when the list was last fetched again, for screen readers; blank at first. */
function useDeliveryChanges(deliveries: readonly WebhookDelivery[] | undefined): string {
  const [shown, setShown] = useState({ deliveries, changes: '' })
  if (deliveries === shown.deliveries) return shown.changes
  const before = new Map(shown.deliveries?.map((delivery) => [delivery.id, delivery]))
  const changed = (deliveries ?? []).filter(({ id, state, attempts }) => {
    const earlier = before.get(id)
    return earlier?.state !== state || earlier.attempts !== attempts
  })
  const changes =
    shown.deliveries === undefined
      ? ''
      : changed.length > namedChanges
        ? `${changed.length} events changed.`
        : changed.map(({ event, state }) => `${event}: ${stateLabels[state]}.`).join(' ')
  setShown({ deliveries, changes })
  return changes
}

const stateLabels: Record<WebhookDelivery['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  skipped: 'Skipped',
}

interface DeliveryRowProps {
  delivery: WebhookDelivery
  /** Null while the webhook is off. */
  onResend: (() => void) | null
}

function DeliveryRow({ delivery, onResend }: DeliveryRowProps) {
  const { event, state, created_at, attempts, response_status, error } = delivery
  return (
    <SettingsRow
      icon={null}
      title={<span className="font-mono">{event}</span>}
      badge={
        <Badge tone={state === 'failed' || (state === 'waiting' && attempts > 0) ? 'danger' : 'quiet'}>
          {stateLabels[state]}
        </Badge>
      }
      facts={
        <>
          <RelativeTime time={created_at} />
          {attempts > 1 && <span>{attempts} attempts</span>}
          {response_status !== null && <span>Response {response_status}</span>}
          {error !== null && <span>{error}</span>}
          {state === 'skipped' && <span>Deleted or no longer visible to you.</span>}
        </>
      }
      action={
        onResend !== null &&
        (state === 'delivered' || state === 'failed') &&
        event !== 'webhook.test' && (
          <Button size="sm" aria-label={`Send ${event} again`} onClick={onResend}>
            Send again
          </Button>
        )
      }
    />
  )
}
