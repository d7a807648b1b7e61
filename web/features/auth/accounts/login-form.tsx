import { loginProblems } from '@reelmark/contract/accounts.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { signInWithPassword, useSession } from '../../../shared/session/session.ts'
import { isPasskeyCancelled, usePasskeySupport } from '../../../shared/session/webauthn.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { requestPasskey } from '../passkeys/passkey-sign-in.ts'
import { usePasskeySuggestions } from '../passkeys/passkey-suggestions.ts'
import {
  AlternativeSignIn,
  ContinueWithProviderButton,
  PasskeyButton,
  useOidcProviderName,
} from './alternative-sign-in.tsx'
import { loginErrorMessage, passkeyErrorMessage } from './login-error.ts'
import type { PendingLogin } from './login-page.tsx'
import { readSecondStep, signInWithPasskey } from './sign-in-methods.ts'

interface LoginFormProps {
  ref: RefObject<HTMLFormElement | null>
  redirect: string | undefined
  signInAndGo: (attempt: () => Promise<void>) => Promise<void>
  /** While the second step is in its place. */
  hidden: boolean
  problem: string | null
  onProblem: (text: string | null) => void
  /** The password was right, and more is asked. */
  onSecondStep: (waiting: PendingLogin) => void
}

/** The fields keep what was typed by themselves: that holds before hydration, and for password managers, too. */
export function LoginForm(props: LoginFormProps) {
  const { ref: form, redirect, signInAndGo, hidden, problem, onProblem, onSecondStep } = props
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null)
  /** The problem is with what stands in the fields. */
  const [areWrong, setAreWrong] = useState(false)
  const notice = useRef<HTMLDivElement>(null)
  const noticeId = useId()
  const passkeyButton = useRef<HTMLButtonElement>(null)
  const canUsePasskeys = usePasskeySupport()
  const oidcName = useOidcProviderName()
  const hydrated = useHydrated()
  const { status } = useSession()

  const field = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement
  const remember = () => field('remember').checked

  // Back from the second step: the focus goes to why, or to where one goes on.
  const wasHidden = useRef(hidden)
  useEffect(() => {
    if (wasHidden.current && !hidden) {
      const name = form.current?.querySelector<HTMLInputElement>('input[name="username"]')
      const password = form.current?.querySelector<HTMLInputElement>('input[name="password"]')
      const focusRef = notice.current ?? (name?.value === '' ? name : password)
      focusRef?.focus()
    }
    wasHidden.current = hidden
  }, [hidden, form])

  usePasskeySuggestions(status === 'signed-out' && !hidden && busy !== 'passkey', (answer) =>
    logInByPasskey(async () => answer),
  )

  /** Shows what went wrong before the focus goes there. */
  function reportProblem(text: string | null) {
    flushSync(() => {
      setBusy(null)
      onProblem(text)
    })
    notice.current?.focus()
  }

  async function logInByPasskey(ask: typeof requestPasskey) {
    setBusy('passkey')
    setAreWrong(false)
    onProblem(null)
    try {
      const answer = await ask({})
      await signInAndGo(() => signInWithPasskey(answer, remember()))
    } catch (error) {
      reportProblem(isPasskeyCancelled(error) ? null : passkeyErrorMessage(error))
      if (isPasskeyCancelled(error)) passkeyButton.current?.focus()
    }
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = { username: field('username').value, password: field('password').value }
    const missing = loginProblems(values)
    setAreWrong(missing !== null)
    if (missing !== null) {
      onProblem(missing)
      field(values.username.trim() === '' ? 'username' : 'password').focus()
      return
    }
    setBusy('password')
    onProblem(null)
    try {
      await signInAndGo(() => signInWithPassword(values.username, values.password, remember()))
    } catch (error) {
      const step = readSecondStep(error)
      if (step !== null) {
        setBusy(null)
        onSecondStep({ ...step, username: values.username.trim(), remember: remember() })
        return
      }
      reportProblem(loginErrorMessage(error))
      if (isCallError(error) && error.status === 401) {
        setAreWrong(true)
        field('password').focus()
        field('password').select()
      }
    }
  }

  const wrong =
    problem === null || !areWrong ? {} : ({ 'aria-invalid': true, 'aria-describedby': noticeId } as const)
  return (
    <form
      ref={form}
      // Should the page be submitted before it can handle that, no password gets into an address.
      method="post"
      noValidate
      hidden={hidden}
      onSubmit={submit}
      className="visitors-only flex flex-col gap-5"
    >
      {problem !== null && (
        <Notice ref={notice} id={noticeId} tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <Field label="Username">
        <Input
          aria-required
          name="username"
          autoComplete="username webauthn"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...wrong}
        />
      </Field>
      <Field label="Password">
        <PasswordInput aria-required name="password" autoComplete="current-password" {...wrong} />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <Checkbox name="remember" label="Keep me logged in for a week" defaultChecked />
        <Link to="/forgot-password" className={`${textLinkClass} py-2.5 text-14`}>
          Forgot password?
        </Link>
      </div>
      <Button
        type="submit"
        tone="accent"
        size="lg"
        busy={busy === 'password'}
        busyText="Logging in..."
        disabled={!hydrated || busy !== null}
      >
        Log in
      </Button>
      {(canUsePasskeys || oidcName !== null) && (
        <AlternativeSignIn>
          {canUsePasskeys && (
            <PasskeyButton
              ref={passkeyButton}
              busy={busy === 'passkey'}
              disabled={!hydrated || busy !== null}
              onClick={() => void logInByPasskey(requestPasskey)}
            >
              Log in with a passkey
            </PasskeyButton>
          )}
          {oidcName !== null && (
            <ContinueWithProviderButton
              name={oidcName}
              disabled={!hydrated || busy !== null}
              redirectState={() => ({ intent: 'login', redirect, remember: remember() })}
              onProblem={(text) => {
                setAreWrong(false)
                reportProblem(text)
              }}
            />
          )}
        </AlternativeSignIn>
      )}
      <p className="text-14 text-quiet">
        New to Reelmark?{' '}
        <Link to="/register" search={redirect === undefined ? {} : { redirect }} className={textLinkClass}>
          Sign up
        </Link>
      </p>
    </form>
  )
}
