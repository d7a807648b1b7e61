import { loginProblems } from '@reelmark/contract/accounts.ts'
import { isCallError } from '@reelmark/contract/call.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { type FormEvent, useCallback, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { signIn } from '../../session.ts'
import { getSession } from '../../session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { textLink } from './account-page.tsx'
import { afterLogin, useGoInstead, useLeaveWhenSignedIn } from './after-login.ts'
import { loginError } from './login-error.ts'

/** The fields keep what was typed by themselves: that holds before hydration, and for password managers, too. */
export function LoginForm({ redirect }: { redirect: string | undefined }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submitted = useRef(false)
  const notice = useRef<HTMLDivElement>(null)
  const noticeId = useId()
  const hydrated = useHydrated()
  const go = useGoInstead()
  useLeaveWhenSignedIn(
    redirect,
    useCallback(() => !submitted.current, []),
  )

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement
    const values = { username: field('username').value, password: field('password').value }
    const missing = loginProblems(values)
    if (missing !== null) {
      setProblem(missing)
      field(values.username.trim() === '' ? 'username' : 'password').focus()
      return
    }
    submitted.current = true
    setBusy(true)
    setProblem(null)
    try {
      await signIn(values.username, values.password, field('remember').checked)
      go(afterLogin(redirect, getSession().username))
    } catch (error) {
      submitted.current = false
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setProblem(loginError(error))
      })
      if (isCallError(error) && error.status === 401) {
        field('password').focus()
        field('password').select()
      } else notice.current?.focus()
    }
  }

  const wrong = problem === null ? {} : ({ 'aria-invalid': true, 'aria-describedby': noticeId } as const)
  return (
    // Should the page be submitted before it can handle that, no password gets into an address.
    <form method="post" noValidate onSubmit={submit} className="visitors-only flex flex-col gap-5">
      {problem !== null && (
        <Notice ref={notice} id={noticeId} tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <Field label="Username">
        <Input
          aria-required
          name="username"
          autoComplete="username"
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
        <Link to="/forgot-password" className={`${textLink} py-2.5 text-14`}>
          Forgot password?
        </Link>
      </div>
      <Button type="submit" tone="accent" size="lg" busy={busy} busyText="Logging in..." disabled={!hydrated}>
        Log in
      </Button>
      <p className="text-14 text-quiet">
        New here?{' '}
        <Link to="/register" search={redirect === undefined ? {} : { redirect }} className={textLink}>
          Create an account
        </Link>
      </p>
    </form>
  )
}
