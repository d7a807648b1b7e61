import { type Registration, registrationProblems } from '@reelmark/contract/accounts.ts'
import { createOwner } from '@reelmark/contract/owner-setup.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { useState } from 'react'
import { NewPasswordInput } from '../../../shared/forms/new-password-input.tsx'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { UsernameInput } from './username-input.tsx'

const fields = ['username', 'email', 'password', 'password2'] as const satisfies (keyof Registration)[]

/** The page of the link that the start of a new site prints. It creates the account of the site owner. */
export function OwnerSetupPage() {
  const [isDone, setIsDone] = useState(false)
  return (
    <AccountPage
      title="Set up Reelmark"
      lead={isDone ? undefined : 'Create the account of the site owner, who appoints the moderators.'}
    >
      {isDone ? <OwnerCreated /> : <OwnerSetupForm onDone={() => setIsDone(true)} />}
    </AccountPage>
  )
}

function OwnerSetupForm({ onDone }: { onDone: () => void }) {
  const hydrated = useHydrated()
  const form = useApiForm(createOwner, {
    fields,
    validate: registrationProblems,
    toInput: ({ username, email, ...passwords }) => ({
      body: { username: username.trim(), email: email.trim(), ...passwords, token: readToken() },
    }),
    onSuccess: onDone,
  })

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <UsernameInput error={form.fieldErrors.username} />
      <Field label="Email" error={form.fieldErrors.email}>
        <Input aria-required name="email" type="email" autoComplete="email" maxLength={limits.emailMax} />
      </Field>
      <NewPasswordInput label="Password" name="password" error={form.fieldErrors.password} />
      <Field label="Confirm Password" error={form.fieldErrors.password2}>
        <PasswordInput
          aria-required
          name="password2"
          autoComplete="new-password"
          maxLength={limits.passwordMax}
        />
      </Field>
      <Button
        type="submit"
        tone="accent"
        size="lg"
        busy={form.busy}
        busyText="Creating your account..."
        disabled={!hydrated}
      >
        Create account
      </Button>
    </form>
  )
}

/** Returns the token of the link. The part after `#` is not sent to the server with the page's address. */
function readToken(): string {
  // Without a token the server answers that the link is invalid, as for a wrong one.
  return window.location.hash.slice(1) || '-'
}

function OwnerCreated() {
  const notice = useAutofocus()
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>Your account has been created. You are the owner of this site.</p>
      </Notice>
      <Link to="/login" className={buttonClass('accent', 'lg')}>
        Log in
      </Link>
    </div>
  )
}
