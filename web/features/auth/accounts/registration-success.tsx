import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { pathAfterLogin, useReplacePath } from './path-after-login.ts'

/** Where new users begin who did not sign up to do something on another page. */
const firstStepsPath = '/welcome'

/**
 * Confirms that the account exists and the user is signed in. Redirects after five seconds: back to the page that the user
 * signed up for, or to the first steps, which the user can skip.
 */
export function RegistrationSuccess({ redirect }: { redirect: string | undefined }) {
  const back = pathAfterLogin(redirect, null)
  const isNew = back === '/'
  const target = isNew ? firstStepsPath : back
  const go = useReplacePath()
  const [secondsLeft, setSecondsLeft] = useState<number>(limits.registrationCountdownSeconds)
  const notice = useAutofocus()

  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft((seconds) => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (secondsLeft <= 0) go(target)
  }, [secondsLeft, go, target])

  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>Your account has been created and you're now logged in!</p>
      </Notice>
      {/* Not a live region, because screen readers would read the number every second. */}
      <p className="text-14 text-quiet tabular-nums">
        Redirecting {isNew ? 'to your first steps' : 'to where you came from'} in {Math.max(secondsLeft, 0)}{' '}
        {secondsLeft === 1 ? 'second' : 'seconds'}.
      </p>
      <Button tone="accent" size="lg" onClick={() => go(target)}>
        {isNew ? 'Get started' : 'Continue Now'}
      </Button>
      {isNew && (
        <Button size="lg" onClick={() => go('/')}>
          Continue to Home Now
        </Button>
      )}
    </div>
  )
}

/** Confirms that the account exists, and asks the user to log in, because the login that follows failed. */
export function RegistrationSuccessSignedOut({ redirect }: { redirect: string | undefined }) {
  const notice = useAutofocus()
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>Your account has been created. Please log in with your credentials.</p>
      </Notice>
      <Link
        to="/login"
        search={{ redirect: redirect ?? firstStepsPath }}
        className={buttonClass('accent', 'lg')}
      >
        Go to Login
      </Link>
    </div>
  )
}
