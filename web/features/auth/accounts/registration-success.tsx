import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useReplacePath } from './path-after-login.ts'

/** The account exists and one is signed in: home in five seconds, or now. */
export function RegistrationSuccess() {
  const go = useReplacePath()
  const [left, setLeft] = useState<number>(limits.registrationCountdownSeconds)
  const notice = useAutofocus()

  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (left <= 0) go('/')
  }, [left, go])

  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>Your account has been created and you're now logged in!</p>
      </Notice>
      {/* Not a live region: a number read out every second is noise. */}
      <p className="text-14 text-quiet tabular-nums">
        Redirecting to the home page in {Math.max(left, 0)} {left === 1 ? 'second' : 'seconds'}.
      </p>
      <Button tone="accent" size="lg" onClick={() => go('/')}>
        Continue to Home Now
      </Button>
    </div>
  )
}

/** The account exists, but the login that follows did not work. */
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
