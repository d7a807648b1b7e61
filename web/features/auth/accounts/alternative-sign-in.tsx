/** Sign-in methods below the password form: passkey and identity provider. */
import { beginOidcLogin } from '@reelmark/contract/identities.ts'
import { useQuery } from '@tanstack/react-query'
import ArrowRight from 'lucide-react/icons/arrow-right'
import KeyRound from 'lucide-react/icons/key-round'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { redirectTo } from '../../../shared/session/redirects.ts'
import { Button } from '../../../ui/button.tsx'
import { type OidcRedirectState, saveOidcRedirectState } from '../identities/oidc-redirect-state.ts'
import { loginErrorMessage } from './login-error.ts'
import { signInMethodsQuery } from './sign-in-methods.ts'

/** Separates the alternative sign-in methods from the form above. */
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

/** Returns the name of the identity provider; null if the operator configured none. */
export function useOidcProviderName(): string | null {
  return useQuery(signInMethodsQuery).data?.oidc?.name ?? null
}

interface ContinueWithProviderProps {
  name: string
  disabled: boolean
  /** Returns what is stored until the user returns. */
  redirectState: () => OidcRedirectState
  onProblem: (text: string | null) => void
}

/** A button that goes to the identity provider, which redirects back to /login/oidc. */
export function ContinueWithProviderButton({
  name,
  disabled,
  redirectState,
  onProblem,
}: ContinueWithProviderProps) {
  const [isLeaving, setLeaving] = useState(false)
  const begin = useApiMutation(beginOidcLogin, {
    onSuccess({ url }) {
      setLeaving(true)
      saveOidcRedirectState(redirectState())
      redirectTo(url)
    },
    onError: (error) => onProblem(loginErrorMessage(error)),
  })

  // Browsers may restore this page from their cache when the user goes back.
  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) setLeaving(false)
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])

  return (
    <Button
      size="lg"
      busy={begin.busy || isLeaving}
      busyText="Loading…"
      disabled={disabled}
      className="max-w-full"
      onClick={() => {
        onProblem(null)
        void begin.run({})
      }}
    >
      <span className="min-w-0 truncate">Continue with {name}</span>
      <ArrowRight className="size-5 shrink-0" />
    </Button>
  )
}
