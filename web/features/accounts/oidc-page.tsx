import { addIdentity } from '@reelmark/contract/identities.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { getSession, storedTokens } from '../../session-store.ts'
import { Spinner } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { AccountPage } from './account-page.tsx'
import { afterLogin, useGoInstead } from './after-login.ts'
import { ChooseUsername } from './choose-username.tsx'
import { linkFailure, loginFailure, missing, OidcFailed, type OidcFailure } from './oidc-failure.tsx'
import { type OidcTrip, takeTrip } from './oidc-trip.ts'
import { RegisteredAndSignedIn } from './registered.tsx'
import { securityPath } from './security-path.ts'
import { type Returned, signInByOidc, usernameNeeded } from './sign-in-ways.ts'

type State =
  | { kind: 'working'; text: string }
  | { kind: 'failed'; failure: OidcFailure }
  | { kind: 'username'; ticket: string; suggested: string; email: string; remember: boolean }
  | { kind: 'registered' }

/**
 * Where the other site sends the browser back to. What it sent is taken out of the address and used once: reloading
 * the page, or coming back to it, posts nothing.
 */
export function OidcPage({ returned }: { returned: Partial<Returned> }) {
  const [state, setState] = useState<State>({ kind: 'working', text: 'Logging you in…' })
  const [title, setTitle] = useState('Log in')
  const { history } = useRouter()
  const go = useGoInstead()
  const begun = useRef(false)

  useEffect(() => {
    // Effects run twice in development.
    if (begun.current) return
    begun.current = true
    const trip = takeTrip()
    history.replace('/login/oidc')
    void finish(returned, trip)

    async function finish({ state, ...rest }: Partial<Returned>, trip: OidcTrip | null) {
      // Somebody else's link must not sign out, or in as another, whoever did not set out from here.
      if (trip === null && storedTokens() !== null) return go(afterLogin(undefined, getSession().username))
      if (trip?.intent === 'link') setTitle('Link account')
      const { intent, redirect, remember } = trip ?? { intent: 'login', remember: true, redirect: undefined }
      if (state === undefined || (rest.code === undefined && rest.error === undefined)) {
        return setState({ kind: 'failed', failure: missing(intent, redirect) })
      }
      if (intent === 'link') return link({ state, ...rest })
      try {
        await signInByOidc({ state, ...rest }, remember)
        go(afterLogin(redirect, getSession().username))
      } catch (error) {
        const needed = usernameNeeded(error)
        if (needed === null) return setState({ kind: 'failed', failure: loginFailure(error, redirect) })
        const { ticket, suggested_username: suggested, email } = needed
        setState({ kind: 'username', ticket, suggested, email, remember })
      }
    }

    async function link(body: Returned) {
      setState({ kind: 'working', text: 'Linking your account…' })
      try {
        const { issuer } = await api(addIdentity, { body })
        toast(`You can now log in with ${issuer}.`, { tone: 'success' })
        go(securityPath)
      } catch (error) {
        setState({ kind: 'failed', failure: linkFailure(error) })
      }
    }
  }, [returned, history, go])

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
          <OidcFailed {...state.failure} />
        </AccountPage>
      )
    case 'username':
      return (
        <AccountPage title="Choose a username" lead="Choose a username to finish signing up.">
          <ChooseUsername
            {...state}
            onDone={() => setState({ kind: 'registered' })}
            onFailed={(error) => setState({ kind: 'failed', failure: loginFailure(error, undefined) })}
          />
        </AccountPage>
      )
    case 'registered':
      return (
        <AccountPage title="Welcome to Reelmark">
          <RegisteredAndSignedIn />
        </AccountPage>
      )
  }
}
