import { requestPasswordReset, resetRequestedText } from '@reelmark/contract/accounts.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { useState } from 'react'
import { errorMessage, genericErrorText } from '../../../shared/errors/error-message.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage, textLinkClass } from '../../../shared/pages/account-page.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Requests a reset link. The response does not reveal whether an account has that address. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [isSent, setIsSent] = useState(false)
  return (
    <AccountPage
      title="Forgot Password"
      lead={isSent ? undefined : "Enter your email and we'll send you a link to reset your password."}
    >
      {isSent ? (
        <ResetMailSent email={email} onAgain={() => setIsSent(false)} />
      ) : (
        <ForgotPasswordForm
          email={email}
          onSent={(address) => {
            setEmail(address)
            setIsSent(true)
          }}
        />
      )}
    </AccountPage>
  )
}

/** @param email the address entered before; empty the first time. */
function ForgotPasswordForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const input = useAutofocus<HTMLInputElement>(email !== '')
  const hydrated = useHydrated()
  const form = useApiForm(requestPasswordReset, {
    fields: ['email'],
    validate: ({ email }) => (email.trim() === '' ? { email: 'Email is required.' } : {}),
    toInput: ({ email }) => ({ body: { email: email.trim() } }),
    onSuccess: (_, { email }) => onSent(email.trim()),
    errorText: forgotPasswordErrorText,
  })

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field label="Email Address" error={form.fieldErrors.email}>
        <Input
          ref={input}
          aria-required
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          maxLength={limits.emailMax}
        />
      </Field>
      <Button
        type="submit"
        tone="accent"
        size="lg"
        busy={form.busy}
        busyText="Sending..."
        disabled={!hydrated}
      >
        Send Password Reset Email
      </Button>
      <p className="text-14 text-quiet">
        Remember your password?{' '}
        <Link to="/login" className={textLinkClass}>
          Log in
        </Link>
      </p>
    </form>
  )
}

function ResetMailSent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const notice = useAutofocus()
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>{resetRequestedText}</p>
      </Notice>
      <p className="text-14 text-quiet">
        Check <span className="font-medium wrap-anywhere text-ink">{email}</span>, including your spam folder.
        The link expires in one hour.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button size="lg" onClick={onAgain}>
          Try a different email
        </Button>
        <Link to="/login" className={`${textLinkClass} px-1 py-2.5 text-14`}>
          Back to login
        </Link>
      </div>
    </div>
  )
}

/** Returns the server's reason for an invalid or rate-limited request; every other failure has the same text. */
function forgotPasswordErrorText(error: unknown): string {
  const isKnown = isCallError(error) && [400, 429].includes(error.status)
  return isKnown ? errorMessage(error) : genericErrorText
}
