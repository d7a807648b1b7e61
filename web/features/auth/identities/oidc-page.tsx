import { addIdentity } from '@reelmark/contract/identities.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { securityPath } from '../../../shared/session/security-path.ts'
import { getSession, storedTokens } from '../../../shared/session/session-store.ts'
import { Spinner } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { pathAfterLogin, useReplacePath, useSignInAndRedirect } from '../accounts/path-after-login.ts'
import { RegistrationSuccess } from '../accounts/registration-success.tsx'
import {
  type OidcReturn,
  readSecondStep,
  readUsernameRequest,
  type SecondStep,
  signInWithOidc,
} from '../accounts/sign-in-methods.ts'
import { SecondStepForm } from '../second-factor/second-step-form.tsx'
import { ChooseUsernameForm } from './choose-username-form.tsx'
import {
  endedLogin,
  linkFailure,
  loginFailure,
  missingResponseFailure,
  type OidcFailure,
  OidcFailureNotice,
} from './oidc-failure.tsx'
import { type OidcRedirectState, takeOidcRedirectState } from './oidc-redirect-state.ts'

type OidcPageState =
  | { kind: 'working'; text: string }
  | { kind: 'failed'; failure: OidcFailure }
  | {
      kind: 'username'
      ticket: string
      suggested: string
      email: string
      remember: boolean
      redirect: string | undefined
    }
  | ({ kind: 'second-step'; redirect: string | undefined; remember: boolean } & SecondStep)
  | { kind: 'registered'; redirect: string | undefined }

/**
 * The page that the identity provider redirects to. Its parameters are removed from the address and used once:
 * reloading the page or returning to it sends nothing.
 */
export function OidcPage({ returned }: { returned: Partial<OidcReturn> }) {
  const [state, setState] = useState<OidcPageState>({ kind: 'working', text: 'Logging you in…' })
  const [title, setTitle] = useState('Log in')
  const { history } = useRouter()
  const replacePath = useReplacePath()
  const hasStarted = useRef(false)

  useEffect(() => {
    // Effects run twice in development.
    if (hasStarted.current) return
    hasStarted.current = true
    const redirectState = takeOidcRedirectState()
    history.replace('/login/oidc')
    void finish(returned, redirectState)

    async function finish({ state, ...rest }: Partial<OidcReturn>, redirectState: OidcRedirectState | null) {
      // A link made by another user must not replace the session of a user who did not start the sign-in here.
      if (redirectState === null && storedTokens() !== null)
        return replacePath(pathAfterLogin(undefined, getSession().username))
      if (redirectState?.intent === 'link') setTitle('Link account')
      const { intent, redirect, remember } = redirectState ?? {
        intent: 'login',
        remember: true,
        redirect: undefined,
      }
      if (state === undefined || (rest.code === undefined && rest.error === undefined)) {
        return setState({ kind: 'failed', failure: missingResponseFailure(intent, redirect) })
      }
      if (intent === 'link') return link({ state, ...rest })
      try {
        await signInWithOidc({ state, ...rest }, remember)
        replacePath(pathAfterLogin(redirect, getSession().username))
      } catch (error) {
        const secondStep = readSecondStep(error)
        if (secondStep !== null) return setState({ kind: 'second-step', ...secondStep, redirect, remember })
        const usernameRequest = readUsernameRequest(error)
        if (usernameRequest === null)
          return setState({ kind: 'failed', failure: loginFailure(error, redirect) })
        const { ticket, suggested_username: suggested, email } = usernameRequest
        setState({ kind: 'username', ticket, suggested, email, remember, redirect })
      }
    }

    async function link(body: OidcReturn) {
      setState({ kind: 'working', text: 'Linking your account…' })
      try {
        const { issuer } = await api(addIdentity, { body })
        toast(`You can now log in with ${issuer}.`, { tone: 'success' })
        replacePath(securityPath)
      } catch (error) {
        setState({ kind: 'failed', failure: linkFailure(error) })
      }
    }
  }, [returned, history, replacePath])

  switch (state.kind) {
    case 'working':
      return (
        <AccountPage title={title}>
          <p role="status" className="flex items-center gap-3 text-16 text-quiet">
            <Spinner />
            {state.text}
          </p>
        </AccountPage>
      )
    case 'failed':
      return (
        <AccountPage title={title}>
          <OidcFailureNotice {...state.failure} />
        </AccountPage>
      )
    case 'username':
      return (
        <AccountPage title="Choose a username" lead="Choose a username to finish signing up.">
          <ChooseUsernameForm
            {...state}
            onDone={() => setState({ kind: 'registered', redirect: state.redirect })}
            onFailed={(error) => setState({ kind: 'failed', failure: loginFailure(error, undefined) })}
          />
        </AccountPage>
      )
    case 'second-step':
      return (
        <AccountPage title={title} lead="Moderators verify it's them with two-step verification.">
          <OidcSecondStep
            {...state}
            onFailed={(text) => setState({ kind: 'failed', failure: endedLogin(text, state.redirect) })}
          />
        </AccountPage>
      )
    case 'registered':
      return (
        <AccountPage title="Welcome to Reelmark">
          <RegistrationSuccess redirect={state.redirect} />
        </AccountPage>
      )
  }
}

interface OidcSecondStepProps extends SecondStep {
  redirect: string | undefined
  remember: boolean
  /** Called if the user must begin again, with the reason. */
  onFailed: (text: string) => void
}

function OidcSecondStep({ redirect, onFailed, ...secondStep }: OidcSecondStepProps) {
  const signInAndGo = useSignInAndRedirect(redirect)
  const replacePath = useReplacePath()
  const goToLogin = () =>
    replacePath(redirect === undefined ? '/login' : `/login?${new URLSearchParams({ redirect })}`)
  return (
    <SecondStepForm
      {...secondStep}
      signInAndGo={signInAndGo}
      onBack={(reason) => (reason === null ? goToLogin() : onFailed(reason))}
      onRestart={goToLogin}
    />
  )
}
