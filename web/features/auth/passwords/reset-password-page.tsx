import { confirmPasswordReset } from '@reelmark/contract/accounts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { genericErrorText } from '../../../shared/errors/error-message.ts'
import {
  formErrorsFromServer,
  invalidResetLinkText,
  isInvalidLinkError,
  type NewPasswordFieldName,
  newPasswordErrors,
} from '../../../shared/forms/form-errors.ts'
import { NewPasswordInput } from '../../../shared/forms/new-password-input.tsx'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { securityPath } from '../../../shared/session/security-path.ts'
import { refreshSession } from '../../../shared/session/session-refresh.ts'
import { storedTokens } from '../../../shared/session/session-store.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'

/** The parts of a reset link. Either may be missing, because mail programs truncate links. */
export interface ResetLink {
  uidb64?: string | undefined
  token?: string | undefined
}

/** The page that a reset link opens. */
export function ResetPasswordPage({ uidb64 = '', token = '' }: ResetLink) {
  const [state, setState] = useState<'form' | 'bad-link' | 'done' | 'done-review'>('form')
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
          onDone={(isReviewRequired) => setState(isReviewRequired ? 'done-review' : 'done')}
          onInvalidLink={() => setState('bad-link')}
        />
      )}
      {state === 'bad-link' && <InvalidLink text={invalidResetLinkText} arrived />}
      {(state === 'done' || state === 'done-review') && (
        <PasswordChanged isReviewRequired={state === 'done-review'} />
      )}
    </AccountPage>
  )
}

interface ResetPasswordFormProps {
  link: { uidb64: string; token: string }
  /** Runs after the reset. Linked sign-in methods may wait for a decision. */
  onDone: (isReviewRequired: boolean) => void
  onInvalidLink: () => void
}

function ResetPasswordForm({ link, onDone, onInvalidLink }: ResetPasswordFormProps) {
  const hydrated = useHydrated()
  const form = useApiForm(
    async (values: Record<NewPasswordFieldName, string>) => {
      const { review_required } = await api(confirmPasswordReset, { body: { ...link, ...values } })
      await clearEndedSession()
      return review_required
    },
    {
      fields: ['new_password1', 'new_password2'],
      validate: newPasswordErrors,
      toInput: (values) => values,
      onSuccess: onDone,
      onError(error) {
        const isInvalid = isInvalidLinkError(error)
        if (isInvalid) onInvalidLink()
        return isInvalid
      },
      errorText: (error) => formErrorsFromServer(error, []).text ?? genericErrorText,
    },
  )

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <NewPasswordInput label="New Password" name="new_password1" error={form.fieldErrors.new_password1} />
      <Field label="Confirm New Password" error={form.fieldErrors.new_password2}>
        <PasswordInput
          aria-required
          name="new_password2"
          autoComplete="new-password"
          maxLength={limits.passwordMax}
        />
      </Field>
      <Button
        type="submit"
        tone="accent"
        size="lg"
        busy={form.busy}
        busyText="Resetting..."
        disabled={!hydrated}
      >
        Reset Password
      </Button>
      <p className="text-13 text-quiet">You'll be logged out on all devices.</p>
    </form>
  )
}

/** @param arrived whether it replaced the form. Then it gets the focus and is announced. */
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

function PasswordChanged({ isReviewRequired }: { isReviewRequired: boolean }) {
  const notice = useAutofocus()
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>Your password has been reset successfully!</p>
      </Notice>
      {isReviewRequired && (
        <p className="text-14 text-quiet">
          Your account has passkeys, an authenticator app or linked accounts. After logging in, decide which
          of them are yours.
        </p>
      )}
      <Link
        to="/login"
        search={isReviewRequired ? { redirect: securityPath } : {}}
        className={buttonClass('accent', 'lg')}
      >
        Log in
      </Link>
    </div>
  )
}

/**
 * Ends this browser's session if the reset ended it, so that /login asks for the new password. A reset ends every
 * session of its account. If this browser is signed in to another account, that session stays.
 */
async function clearEndedSession(): Promise<void> {
  const tokens = storedTokens()
  if (tokens !== null) await refreshSession(tokens.access).catch(() => undefined)
}
