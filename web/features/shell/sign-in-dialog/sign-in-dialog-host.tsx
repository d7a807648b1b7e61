import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { loginPath } from '../../../shared/session/redirects.ts'
import { useSession } from '../../../shared/session/session.ts'
import { type Intent, intentState, storeIntent, takeIntent } from '../../../shared/session/sign-in-intent.ts'
import { registerSignInDialog } from '../../../shared/session/use-require-sign-in.ts'
import type { SignInDialog } from './sign-in-dialog.tsx'

/** The pages on which a visitor signs in. */
const signInPages = /^\/(login|register|forgot-password|reset-password|reset-password-confirm|setup)(\/|$)/

/** Asks visitors to sign in for what they want to do, and completes it when they are back. */
export function SignInDialogHost() {
  useCompleteIntent()
  const { history } = useRouter()
  const [Dialog, setDialog] = useState<ComponentType<ComponentProps<typeof SignInDialog>> | null>(null)
  const [intent, setIntent] = useState<Intent | null>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    registerSignInDialog((requested) => {
      void import('./sign-in-dialog.tsx').then(
        (module) => {
          setDialog(() => module.SignInDialog)
          setIntent(requested)
          setOpen(true)
        },
        () => history.push(loginPath(history.location)),
      )
    })
    return () => registerSignInDialog(null)
  }, [history])
  return Dialog && intent && <Dialog open={open} intent={intent} onClose={() => setOpen(false)} />
}

/** Completes the intent of a user who signed in and is back, and forgets that of a visitor who went elsewhere. */
function useCompleteIntent(): void {
  const router = useRouter()
  const client = useQueryClient()
  const { status } = useSession()
  const { pathname, searchStr } = useLocation()
  useEffect(() => {
    const state = intentState()
    if (state === 'none' || status === 'unknown') return
    // The session in which it became due is over. The next one may be another user's.
    if (status === 'signed-out' && state === 'due') return storeIntent(null)
    if (signInPages.test(pathname)) return
    // A session that began elsewhere, for example in another tab, is not an answer to the dialog.
    if (status === 'signed-out' || state === 'waiting') return storeIntent(null)
    const intent = takeIntent(pathname + searchStr)
    if (intent === null) return
    // If it cannot be loaded, for example offline, the user presses the button again.
    void import('./complete-intent.ts').then(
      (module) => module.completeIntent(intent, client, router),
      () => undefined,
    )
  }, [status, pathname, searchStr, router, client])
}
