import {
  deleteSubscription,
  type Subscription,
  updateSubscription,
} from '@reelmark/contract/subscriptions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Rss from 'lucide-react/icons/rss'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { SettingsList } from '../../../shared/pages/settings-list.tsx'
import { SettingsGroup, SettingsRow } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { subscriptionsQuery } from './queries.ts'
import { SubscriptionDialog } from './subscription-dialog.tsx'

/** Lists, creates, changes, pauses and ends subscriptions to channels and feeds of other sites. */
export function SubscriptionsPanel() {
  const subscriptions = useQuery(subscriptionsQuery)
  const client = useQueryClient()
  const [edited, setEdited] = useState<Subscription | 'new' | null>(null)
  const [ending, setEnding] = useState<Subscription | null>(null)
  const list = useRef<HTMLDivElement>(null)
  return (
    <SettingsGroup
      title="Subscriptions"
      lead="Save new videos of a channel, playlist or feed of another site into one of your collections."
      action={<Button onClick={() => setEdited('new')}>Subscribe</Button>}
    >
      <div ref={list} tabIndex={-1}>
        <SettingsList
          query={subscriptions}
          label="Subscriptions"
          subject="your subscriptions"
          empty="No subscriptions yet."
        >
          {(subscription) => (
            <SubscriptionRow
              key={subscription.id}
              subscription={subscription}
              onEdit={() => setEdited(subscription)}
              onEnd={() => setEnding(subscription)}
            />
          )}
        </SettingsList>
      </div>
      <SubscriptionDialog
        open={edited !== null}
        subscription={edited === 'new' ? null : edited}
        onClose={() => setEdited(null)}
      />
      <ConfirmRemovalDialog
        open={ending !== null}
        title="End this subscription?"
        action="End subscription"
        call={() => api(deleteSubscription, { params: { id: ending?.id ?? 0 } })}
        onClose={() => setEnding(null)}
        onDone={() => {
          const id = ending?.id
          client.setQueryData(subscriptionsQuery.queryKey, (old) => old?.filter((other) => other.id !== id))
          list.current?.focus()
        }}
      >
        New videos will no longer be saved. Videos already saved stay.
      </ConfirmRemovalDialog>
    </SettingsGroup>
  )
}

interface SubscriptionRowProps {
  subscription: Subscription
  onEdit: () => void
  onEnd: () => void
}

function SubscriptionRow({ subscription, onEdit, onEnd }: SubscriptionRowProps) {
  const { id, url, title, collection, channel, is_paused, problem, saved_count, checked_at } = subscription
  const client = useQueryClient()
  const name = title === '' ? url : title
  const toggle = useApiMutation(updateSubscription, {
    onSuccess: (changed) => {
      client.setQueryData(subscriptionsQuery.queryKey, (old) =>
        old?.map((other) => (other.id === id ? changed : other)),
      )
    },
  })
  return (
    <SettingsRow
      icon={<Rss className="size-5" />}
      title={name}
      badge={
        <>
          {is_paused && <Badge tone="quiet">Paused</Badge>}
          {problem !== null && <Badge tone="danger">Problem</Badge>}
        </>
      }
      facts={
        <>
          {title !== '' && <span className="wrap-anywhere">{url}</span>}
          {collection !== null && (
            <span>
              Saves to {collection.name}
              {channel !== null && `, ${channel.name}`}
            </span>
          )}
          <span>{pluralise(saved_count, 'video')} saved</span>
          <span>
            {checked_at === null ? (
              'Not checked yet'
            ) : (
              <>
                Checked <RelativeTime time={checked_at} />
              </>
            )}
          </span>
          {problem !== null && <span className="basis-full text-danger">{problem}</span>}
          {toggle.errorText !== null && (
            <span role="alert" className="basis-full text-danger">
              {toggle.errorText}
            </span>
          )}
        </>
      }
      actions={
        <>
          <Button size="sm" aria-label={`Edit ${name}`} aria-haspopup="dialog" onClick={onEdit}>
            Edit
          </Button>
          <Button
            size="sm"
            aria-label={`${is_paused ? 'Resume' : 'Pause'} ${name}`}
            busy={toggle.busy}
            onClick={() => void toggle.run({ params: { id }, body: { is_paused: !is_paused } })}
          >
            {is_paused ? 'Resume' : 'Pause'}
          </Button>
          <Button size="sm" aria-label={`End ${name}`} aria-haspopup="dialog" onClick={onEnd}>
            End
          </Button>
        </>
      }
    />
  )
}
