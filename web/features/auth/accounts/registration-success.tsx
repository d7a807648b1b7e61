import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { pathAfterLogin, useReplacePath } from './path-after-login.ts'

/** Confirms that the account exists and the user is signed in. Redirects after five seconds: back, or home. */
export function RegistrationSuccess({ redirect }: { redirect: string | undefined }) {
  const back = pathAfterLogin(redirect, null)
  const isHome = back === '/'
  const go = useReplacePath()
  const [secondsLeft, setSecondsLeft] = useState<number>(limits.registrationCountdownSeconds)
  const notice = useAutofocus()

  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft((seconds) => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (secondsLeft <= 0) go(back)
  }, [secondsLeft, go, back])

  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>Your account has been created and you're now logged in!</p>
      </Notice>
      {/* Not a live region, because screen readers would read the number every second. */}
      <p className="text-14 text-quiet tabular-nums">
        Redirecting {isHome ? 'to the home page' : 'to where you came from'} in {Math.max(secondsLeft, 0)}{' '}
        {secondsLeft === 1 ? 'second' : 'seconds'}.
      </p>
      <Button tone="accent" size="lg" onClick={() => go(back)}>
        {isHome ? 'Continue to Home Now' : 'Continue Now'}
      </Button>
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
        search={redirect === undefined ? {} : { redirect }}
        className={buttonClass('accent', 'lg')}
      >
        Go to Login
      </Link>
    </div>
  )
}
