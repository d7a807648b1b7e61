import { changePassword, requestPasswordReset } from '@reelmark/contract/accounts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { newPasswordErrors } from '../../../shared/forms/form-errors.ts'
import { NewPasswordInput } from '../../../shared/forms/new-password-input.tsx'
import { useFormFields } from '../../../shared/forms/use-form-fields.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { invalidateSignInSettings } from '../settings-queries.ts'

/** Another password, by the one that one has. */
export function PasswordSettingsPanel() {
  const [state, setState] = useState<'closed' | 'open' | 'done'>('closed')
  const change = useRef<HTMLButtonElement>(null)
  return (
    <SettingsGroup
      title="Password"
      lead="Changing your password logs you out on all other devices."
      action={
        state !== 'open' && (
          <Button ref={change} onClick={() => setState('open')}>
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
            // Once the button is there again.
            setTimeout(() => change.current?.focus())
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

const fieldNames = ['old_password', 'new_password1', 'new_password2'] as const

function PasswordForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const client = useQueryClient()
  const { username } = useSession()
  const { busy, problems, notice, submit } = useFormFields(fieldNames)
  const first = useAutofocus<HTMLInputElement>()
  return (
    <form
      method="post"
      noValidate
      className="flex max-w-100 flex-col gap-5"
      onSubmit={(event) =>
        void submit(event, {
          check: (values) => ({
            ...(values.old_password === '' && { old_password: 'Current password is required.' }),
            ...newPasswordErrors(values),
          }),
          send: (body) => api(changePassword, { body }),
          onDone: () => {
            void invalidateSignInSettings(client)
            onDone()
          },
        })
      }
    >
      {problems.text !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problems.text}</p>
        </Notice>
      )}
      {/* For password managers, which keep a password with its name. */}
      <input type="text" name="username" autoComplete="username" value={username ?? ''} readOnly hidden />
      <Field label="Current Password" error={problems.fields.old_password}>
        <PasswordInput
          ref={first}
          aria-required
          name="old_password"
          autoComplete="current-password"
          maxLength={limits.passwordMax}
        />
      </Field>
      <NewPasswordInput label="New Password" name="new_password1" error={problems.fields.new_password1} />
      <Field label="Confirm New Password" error={problems.fields.new_password2}>
        <PasswordInput
          aria-required
          name="new_password2"
          autoComplete="new-password"
          maxLength={limits.passwordMax}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="accent" busy={busy} busyText="Changing...">
          Change password
        </Button>
        <Button tone="quiet" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** For who signs in by another site or a passkey alone: the mail that resets a password also sets the first one. */
export function SetPasswordPanel({ email }: { email: string }) {
  const [sent, setSent] = useState(false)
  const { busy, problem, run } = useSubmit()
  return (
    <SettingsGroup
      title="Password"
      lead="You don't have a password. Set one as another way to log in."
      action={
        !sent && (
          <Button
            busy={busy}
            busyText="Sending..."
            onClick={async () =>
              setSent((await run(() => api(requestPasswordReset, { body: { email } }))) !== null)
            }
          >
            Set a password
          </Button>
        )
      }
    >
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
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
