import { confirmPasswordReset } from '@reelmark/contract/accounts.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../api.ts'
import { refreshSession } from '../../session-refresh.ts'
import { storedTokens } from '../../session-store.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { AccountPage } from './account-page.tsx'
import { NewPassword } from './new-password.tsx'
import {
  badLink,
  type FormProblems,
  isBadLink,
  type NewPasswordField,
  newPasswordProblems,
  serverProblems,
} from './reset-problems.ts'
import { useFocusOnce } from './use-focus-once.ts'

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
        <BadLink text="Invalid password reset link." />
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
      {state === 'bad-link' && <BadLink text={badLink} arrived />}
      {state === 'done' && <Done />}
    </AccountPage>
  )
}

const fieldNames: readonly NewPasswordField[] = ['new_password1', 'new_password2']
const noProblems: FormProblems<NewPasswordField> = { fields: {}, text: null }

interface ResetPasswordFormProps {
  link: { uidb64: string; token: string }
  onDone: () => void
  onBadLink: () => void
}

/** The fields keep what was typed by themselves: that holds before hydration, and for password managers, too. */
function ResetPasswordForm({ link, onDone, onBadLink }: ResetPasswordFormProps) {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(noProblems)
  const notice = useRef<HTMLDivElement>(null)
  const hydrated = useHydrated()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const field = (name: NewPasswordField) => form.elements.namedItem(name) as HTMLInputElement
    const focusFirst = (named: FormProblems<NewPasswordField>['fields']) => {
      const first = fieldNames.find((name) => named[name] !== undefined)
      const place = first === undefined ? notice.current : field(first)
      place?.focus()
    }
    const values = {
      new_password1: field('new_password1').value,
      new_password2: field('new_password2').value,
    }
    const missing = newPasswordProblems(values)
    setProblems({ fields: missing, text: null })
    if (Object.keys(missing).length > 0) return focusFirst(missing)

    setBusy(true)
    try {
      await api(confirmPasswordReset, { body: { ...link, ...values } })
    } catch (error) {
      if (isBadLink(error)) return onBadLink()
      const found = serverProblems(error, fieldNames)
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setProblems(found)
      })
      return focusFirst(found.fields)
    }
    await forgetEndedSession()
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
      <NewPassword label="New Password" name="new_password1" error={problems.fields.new_password1} />
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
function BadLink({ text, arrived = false }: { text: string; arrived?: boolean }) {
  const notice = useFocusOnce(arrived)
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

function Done() {
  const notice = useFocusOnce()
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
async function forgetEndedSession(): Promise<void> {
  const tokens = storedTokens()
  if (tokens !== null) await refreshSession(tokens.access).catch(() => undefined)
}
