import { requestPasswordReset, resetRequestedText } from '@reelmark/contract/accounts.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../../shared/api/api.ts'
import { type FormErrors, formErrorsFromServer, genericErrorText } from '../../../shared/forms/form-errors.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage, textLinkClass } from '../../../shared/pages/account-page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Asks for a reset link. Whether anybody has that address is told to no one but its owner. */
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

const noErrors: FormErrors<'email'> = { fields: {}, text: null }

/** @param email what was sent before: whoever comes back to change it goes on there. */
function ForgotPasswordForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(noErrors)
  const notice = useRef<HTMLDivElement>(null)
  const input = useAutofocus<HTMLInputElement>(email !== '')
  const hydrated = useHydrated()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('email') as HTMLInputElement
    const address = field.value.trim()
    if (address === '') {
      setProblems({ fields: { email: 'Email is required.' }, text: null })
      field.focus()
      return
    }
    setProblems(noErrors)
    setBusy(true)
    try {
      await api(requestPasswordReset, { body: { email: address } })
      onSent(address)
    } catch (error) {
      const fieldErrors = forgotPasswordErrors(error)
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setProblems(fieldErrors)
      })
      const focusRef = fieldErrors.fields.email === undefined ? notice.current : field
      focusRef?.focus()
    }
  }

  return (
    // Should the page be submitted before it can handle that, what was typed gets into no address.
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {problems.text !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problems.text}</p>
        </Notice>
      )}
      <Field label="Email Address" error={problems.fields.email}>
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
      <Button type="submit" tone="accent" size="lg" busy={busy} busyText="Sending..." disabled={!hydrated}>
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

/** A field's problems as the server words them, that one must wait, or the one text for everything else. */
function forgotPasswordErrors(error: unknown): FormErrors<'email'> {
  const fieldErrors = formErrorsFromServer(error, ['email'])
  const known =
    fieldErrors.fields.email !== undefined || (isCallError(error) && [400, 429].includes(error.status))
  return known ? fieldErrors : { fields: {}, text: genericErrorText }
}
