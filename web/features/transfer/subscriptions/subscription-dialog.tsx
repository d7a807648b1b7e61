import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  createSubscription,
  type Subscription,
  updateSubscription,
} from '@reelmark/contract/subscriptions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AccessOptions } from '../../../shared/access-options.tsx'
import { api } from '../../../shared/api/api.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import {
  type Destination,
  DestinationFields,
  noDestination,
  useOwnCollections,
} from '../../bookmarks/public-api.ts'
import { subscriptionsQuery } from './queries.ts'

interface SubscriptionDialogProps {
  open: boolean
  /** The subscription to change; null: a new one. */
  subscription: Subscription | null
  onClose: () => void
}

/** A dialog that creates a subscription, or changes where one saves. */
export function SubscriptionDialog({ open, subscription, onClose }: SubscriptionDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={subscription === null ? 'Subscribe' : 'Edit subscription'}
      description="New videos are saved about once an hour. To save older videos, import the same address."
    >
      {open && <SubscriptionForm key={subscription?.id} subscription={subscription} onClose={onClose} />}
    </Dialog>
  )
}

function SubscriptionForm({ subscription, onClose }: Omit<SubscriptionDialogProps, 'open'>) {
  const client = useQueryClient()
  const collections = useOwnCollections()
  const [destination, setDestination] = useState<Destination>(
    subscription === null
      ? noDestination
      : { collection: subscription.collection?.id ?? null, channel: subscription.channel?.id ?? null },
  )
  const send = ({ url, access }: { url: string; access: BookmarkAccess }) => {
    const body = {
      access,
      ...(destination.collection !== null && { collection_id: destination.collection }),
      channel_id: destination.channel,
    }
    return subscription === null
      ? api(createSubscription, { body: { url, ...body } })
      : api(updateSubscription, { params: { id: subscription.id }, body })
  }
  const form = useApiForm(send, {
    fields: ['url', 'collection', 'access'],
    validate: ({ url }) => ({
      ...(subscription === null && url.trim() === '' && { url: 'Enter the address of a channel or feed.' }),
      ...(destination.collection === null && { collection: 'Please select a collection.' }),
    }),
    toInput: ({ url, access }) => ({ url: url.trim(), access: access as BookmarkAccess }),
    onSuccess(changed) {
      client.setQueryData(subscriptionsQuery.queryKey, (old) =>
        old?.some(({ id }) => id === changed.id)
          ? old.map((other) => (other.id === changed.id ? changed : other))
          : old && [changed, ...old],
      )
      onClose()
    },
  })
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      {subscription === null ? (
        <Field
          label="Web address"
          hint="Of a channel, playlist or feed, for example on YouTube, Vimeo or PeerTube."
          error={form.fieldErrors.url}
        >
          <Input
            aria-required
            data-autofocus
            name="url"
            type="text"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.urlMax}
            placeholder="https://"
          />
        </Field>
      ) : (
        <p className="text-14 wrap-anywhere text-quiet">{subscription.url}</p>
      )}
      <DestinationFields
        channelOptional
        autofocus={subscription !== null}
        destination={destination}
        onChange={setDestination}
        collections={collections}
        problems={
          form.fieldErrors.collection === undefined ? {} : { collection: String(form.fieldErrors.collection) }
        }
      />
      <Field label="Access" hint="Of the videos that are saved." error={form.fieldErrors.access}>
        <Select name="access" defaultValue={subscription?.access ?? 'private'}>
          <AccessOptions />
        </Select>
      </Field>
      <DialogFormFooter
        submit={subscription === null ? 'Subscribe' : 'Save'}
        busy={form.busy}
        busyText="Saving..."
        onCancel={onClose}
      />
    </form>
  )
}
