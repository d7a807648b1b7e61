import { type AccountSecurity, cancelEmailChange, changeEmail } from '@reelmark/contract/account-settings.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useFormFields } from '../../../shared/forms/use-form-fields.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { securityQuery } from '../settings-queries.ts'

/** The address, and its change: a new one counts once the link that was mailed there is followed. */
export function EmailSettingsPanel({ security }: { security: AccountSecurity }) {
  const [open, setOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const change = useRef<HTMLButtonElement>(null)
  const { email, pending_email: pending } = security

  function close() {
    setOpen(false)
    // Once the button is there again.
    setTimeout(() => change.current?.focus())
  }

  return (
    <SettingsGroup
      title="Email"
      lead="Used to log in and for security alerts."
      action={
        !open && (
          <Button ref={change} onClick={() => setOpen(true)}>
            {pending === null ? 'Change email' : 'Use a different email'}
          </Button>
        )
      }
    >
      <p className="text-16 font-medium wrap-anywhere text-ink">{email}</p>
      {pending !== null && (
        <PendingEmail
          pending={pending}
          arrived={pending === sentTo}
          onCancelled={() => {
            setSentTo(null)
            setTimeout(() => change.current?.focus())
          }}
        />
      )}
      {open && (
        <EmailForm
          current={email}
          onSent={(address) => {
            setSentTo(address)
            setOpen(false)
          }}
          onCancel={close}
        />
      )}
    </SettingsGroup>
  )
}

/** @param arrived it was asked for just now: the focus goes there, and it is said aloud. */
function PendingEmail({
  pending,
  arrived,
  onCancelled,
}: {
  pending: string
  arrived: boolean
  onCancelled: () => void
}) {
  const client = useQueryClient()
  const { busy, problem, run } = useSubmit()
  const notice = useAutofocus(arrived)
  return (
    <Notice ref={notice} tone="info" polite={arrived} title="Confirm your new email">
      <p className="text-quiet">
        We sent a link to <span className="font-medium wrap-anywhere text-ink">{pending}</span>. It expires in
        24 hours. Until you confirm, we'll keep using your current email.
      </p>
      {problem !== null && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <div className="mt-2">
        <Button
          size="sm"
          busy={busy}
          busyText="Cancelling..."
          onClick={async () => {
            if ((await run(() => api(cancelEmailChange, {}))) === null) return
            client.setQueryData(securityQuery.queryKey, (old) => old && { ...old, pending_email: null })
            onCancelled()
          }}
        >
          Cancel change
        </Button>
      </div>
    </Notice>
  )
}

function EmailForm({
  current,
  onSent,
  onCancel,
}: {
  current: string
  onSent: (email: string) => void
  onCancel: () => void
}) {
  const client = useQueryClient()
  const { busy, problems, notice, submit } = useFormFields(['email'])
  const input = useAutofocus<HTMLInputElement>()
  return (
    <form
      method="post"
      noValidate
      className="flex max-w-100 flex-col gap-5"
      onSubmit={(event) =>
        void submit(event, {
          check: ({ email }) =>
            email.trim() === ''
              ? { email: 'Email is required.' }
              : email.trim() === current
                ? { email: 'This is already your email.' }
                : {},
          send: ({ email }) => api(changeEmail, { body: { email: email.trim() } }),
          onDone: ({ pending_email }) => {
            client.setQueryData(securityQuery.queryKey, (old) => old && { ...old, pending_email })
            onSent(pending_email)
          },
        })
      }
    >
      {problems.text !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problems.text}</p>
        </Notice>
      )}
      <Field
        label="New email address"
        hint="We'll send a confirmation link to this address."
        error={problems.fields.email}
      >
        <Input
          ref={input}
          aria-required
          name="email"
          type="email"
          autoComplete="email"
          maxLength={limits.emailMax}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="accent" busy={busy} busyText="Sending...">
          Send confirmation
        </Button>
        <Button tone="quiet" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
