import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { Link } from '@tanstack/react-router'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { securityPath } from '../../../shared/session/security-path.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { OidcRedirectState } from './oidc-redirect-state.ts'

/** Why a sign-in through the identity provider failed, and where the user continues. */
export interface OidcFailure {
  text: string
  action: { to: 'login'; label: string; redirect: string | undefined } | { to: 'security'; label: string }
}

const backToSecurity = { to: 'security', label: 'Back to Settings' } as const

function backToLogin(redirect: string | undefined, label = 'Back to login') {
  return { to: 'login', label, redirect } as const
}

/**
 * Returns the failure for an address without the provider's parameters: the page was reloaded, or the address was cut.
 */
export function missingResponseFailure(
  intent: OidcRedirectState['intent'],
  redirect: string | undefined,
): OidcFailure {
  return {
    text: 'This sign-in has expired. Start again.',
    action: intent === 'link' ? backToSecurity : backToLogin(redirect),
  }
}

/** Returns the failure of a login that ended in its second step. */
export function endedLogin(text: string, redirect: string | undefined): OidcFailure {
  return { text, action: backToLogin(redirect) }
}

export function loginFailure(error: unknown, redirect: string | undefined): OidcFailure {
  // This text asks the user to log in with their previous method and then link this account.
  if (isApiError(error, 'email-taken'))
    return { text: serverMessage(error), action: backToLogin(securityPath, 'Log in') }
  return { text: serverMessage(error), action: backToLogin(redirect) }
}

export function linkFailure(error: unknown): OidcFailure {
  if (isCallError(error) && error.status === 401) {
    return {
      text: 'Your session ended. Log in and try linking again.',
      action: backToLogin(securityPath, 'Log in'),
    }
  }
  if (isApiError(error, 'reauthentication-required')) {
    return {
      text: 'This request timed out. Go to Settings and try again.',
      action: backToSecurity,
    }
  }
  return { text: serverMessage(error), action: backToSecurity }
}

function serverMessage(error: unknown): string {
  if (!isCallError(error) || error.status === 0 || error.status >= 500) return errors.unavailable[1]
  if (error.status === 404) return 'This sign-in method is no longer available.'
  const text = errorTexts(errorBody(error).detail)[0]
  return text ?? errors['sign-in-refused'][1]
}

export function OidcFailureNotice({ text, action }: OidcFailure) {
  const notice = useAutofocus()
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="danger" urgent>
        <p>{text}</p>
      </Notice>
      {action.to === 'security' ? (
        <Link to={securityPath} className={buttonClass('accent', 'lg')}>
          {action.label}
        </Link>
      ) : (
        <Link
          to="/login"
          search={action.redirect === undefined ? {} : { redirect: action.redirect }}
          className={buttonClass('accent', 'lg')}
        >
          {action.label}
        </Link>
      )}
    </div>
  )
}
