import { useCallback, useRef, useState } from 'react'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { useRedirectWhenSignedIn } from './path-after-login.ts'
import { RegisterForm } from './register-form.tsx'
import { RegistrationSuccess, RegistrationSuccessSignedOut } from './registration-success.tsx'

export function RegisterPage({ redirect }: { redirect: string | undefined }) {
  const [state, setState] = useState<'form' | 'signed-in' | 'registered'>('form')
  const submitted = useRef(false)
  useRedirectWhenSignedIn(
    redirect,
    useCallback(() => !submitted.current, []),
  )
  if (state === 'form') {
    return (
      <AccountPage title="Sign up" lead="Save, organise and share your favourite videos.">
        <RegisterForm
          redirect={redirect}
          onSubmit={() => {
            submitted.current = true
          }}
          onDone={(signedIn) => setState(signedIn ? 'signed-in' : 'registered')}
        />
      </AccountPage>
    )
  }
  return (
    <AccountPage title="Welcome to Reelmark">
      {state === 'signed-in' ? (
        <RegistrationSuccess redirect={redirect} />
      ) : (
        <RegistrationSuccessSignedOut redirect={redirect} />
      )}
      <p className="mt-5 text-14 text-quiet">We emailed you a link. Open it to confirm your email address.</p>
    </AccountPage>
  )
}
