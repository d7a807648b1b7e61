import { confirmPasswordReset } from '@reelmark/contract/accounts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../../shared/api/api.ts'
import {
  type FormErrors,
  formErrorsFromServer,
  invalidResetLinkText,
  isInvalidLinkError,
  type NewPasswordFieldName,
  newPasswordErrors,
} from '../../../shared/forms/form-errors.ts'
import { NewPasswordInput } from '../../../shared/forms/new-password-input.tsx'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { refreshSession } from '../../../shared/session/session-refresh.ts'
import { storedTokens } from '../../../shared/session/session-store.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'

/** Either part may be missing: mail programs cut links. */
export interface ResetLink {
  uidb64?: string | undefined
  token?: string | undefined
}

/** What a reset link leads to. */
export function ResetPasswordPage({ uidb64 = '', token = '' }: ResetLink) {
  const [state, setState] = useState<'form' | 'bad-link' | 'done'>('form')
  if (uidb64 === '' || token === '') {
    return (
      <AccountPage title="Reset Password">
        <InvalidLink text="Invalid password reset link." />
      </AccountPage>
    )
  }
  return (
    <AccountPage title="Reset Password" lead={state === 'form' ? 'Choose a new password.' : undefined}>
      {state === 'form' && (
        <ResetPasswordForm
          link={{ uidb64, token }}
          onDone={() => setState('done')}
          onBadLink={() => setState('bad-link')}
        />
      )}
      {state === 'bad-link' && <InvalidLink text={invalidResetLinkText} arrived />}
      {state === 'done' && <PasswordChanged />}
    </AccountPage>
  )
}

const fieldNames: readonly NewPasswordFieldName[] = ['new_password1', 'new_password2']
const noErrors: FormErrors<NewPasswordFieldName> = { fields: {}, text: null }

interface ResetPasswordFormProps {
  link: { uidb64: string; token: string }
  onDone: () => void
  onBadLink: () => void
}

/** The fields keep what was typed by themselves: that holds before hydration, and for password managers, too. */
function ResetPasswordForm({ link, onDone, onBadLink: onInvalidLink }: ResetPasswordFormProps) {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(noErrors)
  const notice = useRef<HTMLDivElement>(null)
  const hydrated = useHydrated()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const field = (name: NewPasswordFieldName) => form.elements.namedItem(name) as HTMLInputElement
    const focusFirst = (named: FormErrors<NewPasswordFieldName>['fields']) => {
      const first = fieldNames.find((name) => named[name] !== undefined)
      const focusRef = first === undefined ? notice.current : field(first)
      focusRef?.focus()
    }
    const values = {
      new_password1: field('new_password1').value,
      new_password2: field('new_password2').value,
    }
    const missing = newPasswordErrors(values)
    setProblems({ fields: missing, text: null })
    if (Object.keys(missing).length > 0) return focusFirst(missing)

    setBusy(true)
    try {
      await api(confirmPasswordReset, { body: { ...link, ...values } })
    } catch (error) {
      if (isInvalidLinkError(error)) return onInvalidLink()
      const fieldErrors = formErrorsFromServer(error, fieldNames)
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setProblems(fieldErrors)
      })
      return focusFirst(fieldErrors.fields)
    }
    await clearEndedSession()
    onDone()
  }

  return (
    // Should the page be submitted before it can handle that, no password gets into an address.
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {problems.text !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problems.text}</p>
        </Notice>
      )}
      <NewPasswordInput label="New Password" name="new_password1" error={problems.fields.new_password1} />
      <Field label="Confirm New Password" error={problems.fields.new_password2}>
        <PasswordInput
          aria-required
          name="new_password2"
          autoComplete="new-password"
          maxLength={limits.passwordMax}
        />
      </Field>
      <Button type="submit" tone="accent" size="lg" busy={busy} busyText="Resetting..." disabled={!hydrated}>
        Reset Password
      </Button>
      <p className="text-13 text-quiet">You'll be logged out on all devices.</p>
    </form>
  )
}

/** @param arrived it took the place of the form: the focus goes there, and it is said aloud. */
function InvalidLink({ text, arrived = false }: { text: string; arrived?: boolean }) {
  const notice = useAutofocus(arrived)
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="danger" urgent={arrived}>
        <p>{text}</p>
      </Notice>
      <p className="text-14 text-quiet">Reset links expire after one hour and can be used once.</p>
      <Link to="/forgot-password" className={buttonClass('accent', 'lg')}>
        Request a new link
      </Link>
    </div>
  )
}

function PasswordChanged() {
  const notice = useAutofocus()
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>Your password has been reset successfully!</p>
      </Notice>
      <Link to="/login" className={buttonClass('accent', 'lg')}>
        Log in
      </Link>
    </div>
  )
}

/**
 * A reset ends every session of its account. If it was this browser's, the refused refresh clears it here too, and
 * /login asks for the new password; the session of another account goes on.
 */
async function clearEndedSession(): Promise<void> {
  const tokens = storedTokens()
  if (tokens !== null) await refreshSession(tokens.access).catch(() => undefined)
}
