import {
  type AccountSecurity,
  cancelEmailChange,
  changeEmail,
  resendEmailConfirmation,
} from '@reelmark/contract/account-settings.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button, wrappingClass } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { securityQuery } from '../settings-queries.ts'

/** Shows and changes the email address. A new address is used once its owner opens the link mailed to it. */
export function EmailSettingsPanel({ security }: { security: AccountSecurity }) {
  const [open, setOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [changeButton, focusChangeButton] = useFocusAfter<HTMLButtonElement>()
  const { email, is_email_confirmed: isConfirmed, pending_email: pending } = security

  function close() {
    setOpen(false)
    focusChangeButton()
  }

  return (
    <SettingsGroup
      title="Email"
      lead="Used to log in and for security alerts."
      action={
        !open && (
          <Button ref={changeButton} onClick={() => setOpen(true)}>
            {pending === null ? 'Change email' : 'Use a different email'}
          </Button>
        )
      }
    >
      <p className="text-16 font-medium wrap-anywhere text-ink">{email}</p>
      {pending === null && !isConfirmed && <UnconfirmedEmail />}
      {pending !== null && (
        <PendingEmail
          pending={pending}
          isCurrentConfirmed={isConfirmed}
          arrived={pending === sentTo}
          onCancelled={() => {
            setSentTo(null)
            focusChangeButton()
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

/** Explains what an unconfirmed address cannot be used for, and sends the link again. */
function UnconfirmedEmail() {
  const client = useQueryClient()
  const [sent, setSent] = useState(false)
  const resend = useApiMutation(resendEmailConfirmation, {
    onSuccess: () => setSent(true),
    // The address may have been confirmed in another tab.
    onError: () => void client.invalidateQueries({ queryKey: securityQuery.queryKey }),
  })
  return (
    <Notice tone="info" title="Confirm your email">
      <p className="text-quiet">
        We sent a link to this address. Until you open it, log in with your username. We can't reset your
        password, alert you to security changes or send digests.
      </p>
      <p role="status" className="text-quiet empty:hidden">
        {sent ? 'Sent. The new link expires in 24 hours; earlier links no longer work.' : ''}
      </p>
      {resend.errorText !== null && (
        <p role="alert" className="text-danger">
          {resend.errorText}
        </p>
      )}
      <div className="mt-2">
        <Button
          size="sm"
          className={`${wrappingClass} min-h-9 pointer-coarse:min-h-11`}
          busy={resend.busy}
          busyText="Sending..."
          onClick={() => void resend.run({})}
        >
          Send the link again
        </Button>
      </div>
    </Notice>
  )
}

/** @param arrived whether the change was just requested. Then the notice gets the focus and is announced. */
function PendingEmail({
  pending,
  isCurrentConfirmed,
  arrived,
  onCancelled,
}: {
  pending: string
  isCurrentConfirmed: boolean
  arrived: boolean
  onCancelled: () => void
}) {
  const client = useQueryClient()
  const cancel = useApiMutation(cancelEmailChange, {
    onSuccess() {
      client.setQueryData(securityQuery.queryKey, (old) => old && { ...old, pending_email: null })
      onCancelled()
    },
  })
  const notice = useAutofocus(arrived)
  return (
    <Notice ref={notice} tone="info" polite={arrived} title="Confirm your new email">
      <p className="text-quiet">
        We sent a link to <span className="font-medium wrap-anywhere text-ink">{pending}</span>. It expires in
        24 hours.{' '}
        {isCurrentConfirmed
          ? "Until you confirm, we'll keep using your current email."
          : "Until you confirm, we won't send you any other email."}
      </p>
      {cancel.errorText !== null && (
        <p role="alert" className="text-danger">
          {cancel.errorText}
        </p>
      )}
      <div className="mt-2">
        <Button size="sm" busy={cancel.busy} busyText="Cancelling..." onClick={() => void cancel.run({})}>
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
  const form = useApiForm(changeEmail, {
    fields: ['email'],
    validate: ({ email }) =>
      email.trim() === ''
        ? { email: 'Email is required.' }
        : email.trim() === current
          ? { email: 'This is already your email.' }
          : {},
    toInput: ({ email }) => ({ body: { email: email.trim() } }),
    onSuccess: ({ pending_email }) => {
      client.setQueryData(securityQuery.queryKey, (old) => old && { ...old, pending_email })
      onSent(pending_email)
    },
  })
  const input = useAutofocus<HTMLInputElement>()
  return (
    <form {...form.props} className="flex max-w-100 flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field
        label="New email address"
        hint="We'll send a confirmation link to this address."
        error={form.fieldErrors.email}
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
        <Button type="submit" tone="accent" busy={form.busy} busyText="Sending...">
          Send confirmation
        </Button>
        <Button tone="quiet" disabled={form.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
