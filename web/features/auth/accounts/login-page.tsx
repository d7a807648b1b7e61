import { useRef, useState } from 'react'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { SecondStepForm } from '../second-factor/second-step-form.tsx'
import { LoginForm } from './login-form.tsx'
import { useSignInAndRedirect } from './path-after-login.ts'
import type { SecondStep } from './sign-in-methods.ts'

/** A login whose password was accepted and that waits for the second factor. */
export interface PendingLogin extends SecondStep {
  /** As typed by the user. */
  username: string
  remember: boolean
}

/** The login page. If the account has a second factor, the second step replaces the form. */
export function LoginPage({ redirect }: { redirect: string | undefined }) {
  const signInAndGo = useSignInAndRedirect(redirect)
  const [pendingLogin, setPendingLogin] = useState<PendingLogin | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)

  /** @param reason why the second step ended; null if the user chose to go back. */
  function goBack(reason: string | null) {
    setProblem(reason)
    setPendingLogin(null)
  }

  return (
    <AccountPage
      title="Log in"
      lead={pendingLogin === null ? 'Welcome back.' : <SecondStepIntroduction {...pendingLogin} />}
    >
      {/* Hidden rather than removed, so that it keeps its input. */}
      <LoginForm
        ref={form}
        redirect={redirect}
        signInAndGo={signInAndGo}
        hidden={pendingLogin !== null}
        problem={problem}
        onProblem={setProblem}
        onSecondStep={setPendingLogin}
      />
      {pendingLogin !== null && (
        <SecondStepForm
          {...pendingLogin}
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
