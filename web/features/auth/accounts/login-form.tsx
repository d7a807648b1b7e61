import { loginProblems } from '@reelmark/contract/accounts.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { signInWithPassword } from '../../../shared/session/sign-in.ts'
import { isPasskeyCancelled, usePasskeySupport } from '../../../shared/session/webauthn.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { ChallengeProgress } from '../challenge/challenge-progress.tsx'
import { withChallenge } from '../challenge/with-challenge.ts'
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
  /** True while the second step is shown instead. */
  hidden: boolean
  problem: string | null
  onProblem: (text: string | null) => void
  /** The password was right, and a second factor is required. */
  onSecondStep: (login: PendingLogin) => void
}

/** The login form. Its fields are uncontrolled, so that they work before hydration and with password managers. */
export function LoginForm(props: LoginFormProps) {
  const { ref: form, redirect, signInAndGo, hidden, problem, onProblem, onSecondStep } = props
  /** The problem is with the username or the password. */
  const [areCredentialsWrong, setAreCredentialsWrong] = useState(false)
  /** The progress of the challenge, in percent; null while none is being solved. */
  const [solved, setSolved] = useState<number | null>(null)
  const abortController = useRef<AbortController>(null)
  useEffect(() => () => abortController.current?.abort(), [])
  const notice = useRef<HTMLDivElement>(null)
  const noticeId = useId()
  const [passkeyButton, focusPasskeyButton] = useFocusAfter<HTMLButtonElement>()
  const canUsePasskeys = usePasskeySupport()
  const oidcName = useOidcProviderName()
  const hydrated = useHydrated()
  const { status } = useSession()

  const field = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement
  const remember = () => field('remember').checked

  // After the second step, the focus moves to the error, or to the field to fill in.
  const wasHidden = useRef(hidden)
  useEffect(() => {
    if (wasHidden.current && !hidden) {
      const name = form.current?.querySelector<HTMLInputElement>('input[name="username"]')
      const password = form.current?.querySelector<HTMLInputElement>('input[name="password"]')
      const target = notice.current ?? (name?.value === '' ? name : password)
      target?.focus()
    }
    wasHidden.current = hidden
  }, [hidden, form])

  /** Shows the problem and moves the focus to it. */
  function reportProblem(text: string | null) {
    flushSync(() => onProblem(text))
    notice.current?.focus()
  }

  const passkeyLogin = useApiMutation(
    async (request: typeof requestPasskey) => {
      const passkey = await request({})
      await signInAndGo(() => signInWithPasskey(passkey, remember()))
    },
    {
      onError(error) {
        reportProblem(isPasskeyCancelled(error) ? null : passkeyErrorMessage(error))
        if (isPasskeyCancelled(error)) focusPasskeyButton()
      },
    },
  )
  const passwordLogin = useApiMutation(
    ({ username, password }: { username: string; password: string }) => {
      abortController.current = new AbortController()
      const { signal } = abortController.current
      return signInAndGo(() =>
        withChallenge((solution) => signInWithPassword(username, password, remember(), solution), {
          // Each solution is valid for one login.
          challengeState: {},
          signal,
          onProgress: setSolved,
        }),
      )
    },
    {
      onError(error, { username }) {
        flushSync(() => setSolved(null))
        const step = readSecondStep(error)
        if (step !== null) return onSecondStep({ ...step, username: username.trim(), remember: remember() })
        reportProblem(loginErrorMessage(error))
        if (isCallError(error) && error.status === 401) {
          setAreCredentialsWrong(true)
          field('password').focus()
          field('password').select()
        }
      },
    },
  )
  const isSubmitting = passkeyLogin.busy || passwordLogin.busy

  usePasskeySuggestions(status === 'signed-out' && !hidden && !passkeyLogin.busy, (passkey) =>
    logInByPasskey(async () => passkey),
  )

  async function logInByPasskey(request: typeof requestPasskey) {
    setAreCredentialsWrong(false)
    onProblem(null)
    await passkeyLogin.run(request)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = { username: field('username').value, password: field('password').value }
    const missing = loginProblems(values)
    setAreCredentialsWrong(missing !== null)
    onProblem(missing)
    if (missing !== null) return field(values.username.trim() === '' ? 'username' : 'password').focus()
    void passwordLogin.run(values)
  }

  const invalidProps =
    problem === null || !areCredentialsWrong
      ? {}
      : ({ 'aria-invalid': true, 'aria-describedby': noticeId } as const)
  return (
    <form
      ref={form}
      // Keeps the password out of the address if the form is submitted before hydration.
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
          {...invalidProps}
        />
      </Field>
      <Field label="Password">
        <PasswordInput aria-required name="password" autoComplete="current-password" {...invalidProps} />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <Checkbox name="remember" label="Keep me logged in for a week" defaultChecked />
        <Link to="/forgot-password" className={`${textLinkClass} py-3 text-14`}>
          Forgot password?
        </Link>
      </div>
      <ChallengeProgress solved={solved} />
      <Button
        type="submit"
        tone="accent"
        size="lg"
        busy={passwordLogin.busy}
        busyText="Logging in..."
        disabled={!hydrated || isSubmitting}
      >
        Log in
      </Button>
      {(canUsePasskeys || oidcName !== null) && (
        <AlternativeSignIn>
          {canUsePasskeys && (
            <PasskeyButton
              ref={passkeyButton}
              busy={passkeyLogin.busy}
              disabled={!hydrated || isSubmitting}
              onClick={() => void logInByPasskey(requestPasskey)}
            >
              Log in with a passkey
            </PasskeyButton>
          )}
          {oidcName !== null && (
            <ContinueWithProviderButton
              name={oidcName}
              disabled={!hydrated || isSubmitting}
              redirectState={() => ({ intent: 'login', redirect, remember: remember() })}
              onProblem={(text) => {
                setAreCredentialsWrong(false)
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
