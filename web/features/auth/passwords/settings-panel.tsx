import { changePassword, requestPasswordReset } from '@reelmark/contract/accounts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { newPasswordErrors } from '../../../shared/forms/form-errors.ts'
import { NewPasswordInput } from '../../../shared/forms/new-password-input.tsx'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { invalidateSignInSettings } from '../settings-queries.ts'

/** Changes the password after asking for the current one. */
export function PasswordSettingsPanel() {
  const [state, setState] = useState<'closed' | 'open' | 'done'>('closed')
  const [changeButton, focusChangeButton] = useFocusAfter<HTMLButtonElement>()
  return (
    <SettingsGroup
      title="Password"
      lead="Changing your password logs you out on all other devices, revokes all access tokens and turns off your webhooks."
      action={
        state !== 'open' && (
          <Button ref={changeButton} onClick={() => setState('open')}>
            Change password
          </Button>
        )
      }
    >
      {state === 'done' && <PasswordChangedNotice />}
      {state === 'open' && (
        <PasswordForm
          onDone={() => setState('done')}
          onCancel={() => {
            setState('closed')
            focusChangeButton()
          }}
        />
      )}
    </SettingsGroup>
  )
}

function PasswordChangedNotice() {
  const notice = useAutofocus()
  return (
    <Notice ref={notice} tone="success" polite title="Your password has been changed.">
      <p className="text-quiet">You've been logged out on all other devices.</p>
    </Notice>
  )
}

function PasswordForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const client = useQueryClient()
  const { username } = useSession()
  const form = useApiForm(changePassword, {
    fields: ['old_password', 'new_password1', 'new_password2'],
    validate: (values) => ({
      ...(values.old_password === '' && { old_password: 'Current password is required.' }),
      ...newPasswordErrors(values),
    }),
    toInput: (body) => ({ body }),
    onSuccess: () => {
      void invalidateSignInSettings(client)
      onDone()
    },
  })
  const currentPasswordInput = useAutofocus<HTMLInputElement>()
  return (
    <form {...form.props} className="flex max-w-100 flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      {/* Password managers store a password together with a username. */}
      <input type="text" name="username" autoComplete="username" value={username ?? ''} readOnly hidden />
      <Field label="Current Password" error={form.fieldErrors.old_password}>
        <PasswordInput
          ref={currentPasswordInput}
          aria-required
          name="old_password"
          autoComplete="current-password"
          maxLength={limits.passwordMax}
        />
      </Field>
      <NewPasswordInput label="New Password" name="new_password1" error={form.fieldErrors.new_password1} />
      <Field label="Confirm New Password" error={form.fieldErrors.new_password2}>
        <PasswordInput
          aria-required
          name="new_password2"
          autoComplete="new-password"
          maxLength={limits.passwordMax}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="accent" busy={form.busy} busyText="Changing...">
          Change password
        </Button>
        <Button tone="quiet" disabled={form.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** For accounts without a password (identity provider or passkey only): the reset mail also sets a first password. */
export function SetPasswordPanel({ email, isEmailConfirmed }: { email: string; isEmailConfirmed: boolean }) {
  const [sent, setSent] = useState(false)
  const request = useApiMutation(requestPasswordReset, { onSuccess: () => setSent(true) })
  return (
    <SettingsGroup
      title="Password"
      lead={
        isEmailConfirmed
          ? "You don't have a password. Set one as another way to log in."
          : "You don't have a password. Confirm your email to set one as another way to log in."
      }
      action={
        isEmailConfirmed &&
        !sent && (
          <Button
            busy={request.busy}
            busyText="Sending..."
            onClick={() => void request.run({ body: { email } })}
          >
            Set a password
          </Button>
        )
      }
    >
      <ErrorNotice text={request.errorText} />
      {sent && <ResetMailSent email={email} />}
    </SettingsGroup>
  )
}

function ResetMailSent({ email }: { email: string }) {
  const notice = useAutofocus()
  return (
    <Notice ref={notice} tone="success" polite title="Check your email">
      <p className="text-quiet">
        We sent a link to <span className="font-medium wrap-anywhere text-ink">{email}</span>. It expires in
        one hour. Setting a password logs you out on all devices.
      </p>
    </Notice>
  )
}
