import { useRef, useState } from 'react'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { SecondStepForm } from '../second-factor/second-step-form.tsx'
import { LoginForm } from './login-form.tsx'
import { useSignInAndRedirect } from './path-after-login.ts'
import type { SecondStep } from './sign-in-methods.ts'

/** What the password has led to, until the login is through. */
export interface PendingLogin extends SecondStep {
  /** As it was typed. */
  username: string
  remember: boolean
}

/** Logging in: by password and, where one has set that up, a second step in the form's place; or in another way. */
export function LoginPage({ redirect }: { redirect: string | undefined }) {
  const signInAndGo = useSignInAndRedirect(redirect)
  const [waiting, setWaiting] = useState<PendingLogin | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)

  /** @param why where it was not the person who wanted it. */
  function goBack(why: string | null) {
    setProblem(why)
    setWaiting(null)
  }

  return (
    <AccountPage
      title="Log in"
      lead={waiting === null ? 'Welcome back.' : <SecondStepIntroduction {...waiting} />}
    >
      {/* It stays, out of sight: whoever comes back finds what they have typed. */}
      <LoginForm
        ref={form}
        redirect={redirect}
        signInAndGo={signInAndGo}
        hidden={waiting !== null}
        problem={problem}
        onProblem={setProblem}
        onSecondStep={setWaiting}
      />
      {waiting !== null && (
        <SecondStepForm
          {...waiting}
          signInAndGo={signInAndGo}
          onBack={goBack}
          onRestart={() => {
            form.current?.reset()
            goBack(null)
          }}
        />
      )}
    </AccountPage>
  )
}

function SecondStepIntroduction({ username }: PendingLogin) {
  return (
    <>
      Verify it's you to log in as <span className="font-medium wrap-anywhere text-ink">{username}</span>.
    </>
  )
}
