/** What stands below the password on the pages where one comes in. */
import { beginOidcLogin } from '@reelmark/contract/identities.ts'
import { useQuery } from '@tanstack/react-query'
import ArrowRight from 'lucide-react/icons/arrow-right'
import KeyRound from 'lucide-react/icons/key-round'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { redirectTo } from '../../../shared/session/redirects.ts'
import { Button } from '../../../ui/button.tsx'
import { type OidcRedirectState, saveOidcRedirectState } from '../identities/oidc-redirect-state.ts'
import { loginErrorMessage } from './login-error.ts'
import { signInMethodsQuery } from './sign-in-methods.ts'

/** What one can do instead of what stands above. */
export function AlternativeSignIn({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="mb-2 flex items-center gap-4 text-13 text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {children}
    </div>
  )
}

export function PasskeyButton({ children, ...rest }: ComponentProps<typeof Button>) {
  return (
    <Button size="lg" busyText="Waiting for your passkey..." {...rest}>
      <KeyRound className="size-5" />
      {children}
    </Button>
  )
}

/** Whom the button names; null where the operator has set no such site up. */
export function useOidcProviderName(): string | null {
  return useQuery(signInMethodsQuery).data?.oidc?.name ?? null
}

interface ContinueWithProviderProps {
  name: string
  disabled: boolean
  /** What is to be remembered on the way. */
  redirectState: () => OidcRedirectState
  onProblem: (text: string | null) => void
}

/** Goes to the other site that vouches for people; /login/oidc is the way back. */
export function ContinueWithProviderButton({
  name,
  disabled,
  redirectState,
  onProblem,
}: ContinueWithProviderProps) {
  const [busy, setBusy] = useState(false)

  // Back from there by the browser's button, the page is as one left it.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => {
      if (event.persisted) setBusy(false)
    }
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [])

  async function leave() {
    setBusy(true)
    onProblem(null)
    try {
      const { url } = await api(beginOidcLogin, {})
      saveOidcRedirectState(redirectState())
      redirectTo(url)
    } catch (error) {
      setBusy(false)
      onProblem(loginErrorMessage(error))
    }
  }

  return (
    <Button
      size="lg"
      busy={busy}
      busyText="Loading…"
      disabled={disabled}
      className="max-w-full"
      onClick={() => void leave()}
    >
      <span className="min-w-0 truncate">Continue with {name}</span>
      <ArrowRight className="size-5 shrink-0" />
    </Button>
  )
}
