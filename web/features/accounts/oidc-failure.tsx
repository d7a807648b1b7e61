import { isCallError } from '@reelmark/contract/call.ts'
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import { errors } from '@reelmark/contract/errors.ts'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { OidcTrip } from './oidc-trip.ts'
import { securityPath } from './security-path.ts'
import { bodyOf, isTold } from './told.ts'
import { useFocusOnce } from './use-focus-once.ts'

/** What went wrong on the way through the other site, and where one goes on. */
export interface OidcFailure {
  text: string
  way: { to: 'login'; label: string; redirect: string | undefined } | { to: 'security'; label: string }
}

const toSecurity = { to: 'security', label: 'Back to Settings' } as const

function toLogin(redirect: string | undefined, label = 'Back to login') {
  return { to: 'login', label, redirect } as const
}

/** The address does not hold what the other site sends: the page was reloaded, or the address was cut. */
export function missing(intent: OidcTrip['intent'], redirect: string | undefined): OidcFailure {
  return {
    text: 'This sign-in has expired. Start again.',
    way: intent === 'link' ? toSecurity : toLogin(redirect),
  }
}

export function loginFailure(error: unknown, redirect: string | undefined): OidcFailure {
  // That text asks to log in the way one did before, and then to link this one.
  if (isTold(error, 'email-known')) return { text: said(error), way: toLogin(securityPath, 'Log in') }
  return { text: said(error), way: toLogin(redirect) }
}

export function linkFailure(error: unknown): OidcFailure {
  if (isCallError(error) && error.status === 401) {
    return {
      text: 'Your session ended. Log in and try linking again.',
      way: toLogin(securityPath, 'Log in'),
    }
  }
  if (isTold(error, 'confirm-needed')) {
    return {
      text: 'This request timed out. Go to Settings and try again.',
      way: toSecurity,
    }
  }
  return { text: said(error), way: toSecurity }
}

function said(error: unknown): string {
  if (!isCallError(error) || error.status === 0 || error.status >= 500) return errors.unavailable[1]
  if (error.status === 404) return 'This sign-in method is no longer available.'
  const text = errorTexts(bodyOf(error).detail)[0]
  return text ?? errors['sign-in-refused'][1]
}

export function OidcFailed({ text, way }: OidcFailure) {
  const notice = useFocusOnce()
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="danger" urgent>
        <p>{text}</p>
      </Notice>
      {way.to === 'security' ? (
        <Link to={securityPath} className={buttonClass('accent', 'lg')}>
          {way.label}
        </Link>
      ) : (
        <Link
          to="/login"
          search={way.redirect === undefined ? {} : { redirect: way.redirect }}
          className={buttonClass('accent', 'lg')}
        >
          {way.label}
        </Link>
      )}
    </div>
  )
}
