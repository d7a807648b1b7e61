import { confirmEmailChange } from '@reelmark/contract/account-settings.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useHydrated } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../../shared/api/api.ts'
import { errorBody } from '../../../shared/errors/api-error.ts'
import { genericErrorText } from '../../../shared/forms/form-errors.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { refreshUser, useSession } from '../../../shared/session/session.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

const title = 'Confirm your email'
const invalidLinkText = errors['invalid-email-link'][1]

type ConfirmEmailState =
  | { kind: 'waiting' }
  | { kind: 'bad-link'; text: string }
  | { kind: 'done'; email: string }

/**
 * What the link in the mail to a new address leads to. It is confirmed by a press, not by coming here: programs that
 * look for evil in mails follow every link.
 */
export function ConfirmEmailPage({ token }: { token: string }) {
  const [state, setState] = useState<ConfirmEmailState>({ kind: 'waiting' })
  if (token === '' || state.kind === 'bad-link') {
    return (
      <AccountPage title={title}>
        {state.kind === 'bad-link' ? (
          <InvalidLink text={state.text} arrived />
        ) : (
          <InvalidLink text={invalidLinkText} />
        )}
      </AccountPage>
    )
  }
  if (state.kind === 'done') {
    return (
      <AccountPage title={title}>
        <EmailConfirmed email={state.email} />
      </AccountPage>
    )
  }
  return (
    <AccountPage title={title} lead="Confirm this address to use it for your account.">
      <ConfirmEmailForm
        token={token}
        onDone={(email) => setState({ kind: 'done', email })}
        onInvalidLink={(text) => setState({ kind: 'bad-link', text })}
      />
    </AccountPage>
  )
}

interface ConfirmEmailFormProps {
  token: string
  onDone: (email: string) => void
  /** With why it does not work. */
  onInvalidLink: (text: string) => void
}

function ConfirmEmailForm({ token, onDone, onInvalidLink }: ConfirmEmailFormProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const notice = useRef<HTMLDivElement>(null)
  const hydrated = useHydrated()
  const queryClient = useQueryClient()

  async function confirm() {
    setBusy(true)
    setProblem(null)
    try {
      const { email } = await api(confirmEmailChange, { body: { token } })
      onDone(email)
      // What this browser knows of whoever is signed in may name the address before.
      await refreshUser()
      void queryClient.invalidateQueries()
    } catch (error) {
      const text = errorTexts(errorBody(error).detail)[0]
      // 400: the link, or what is left of it.
      if (isCallError(error) && error.status === 400) return onInvalidLink(text ?? invalidLinkText)
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setProblem(text ?? genericErrorText)
      })
      notice.current?.focus()
    }
  }

  return (
    <div className="flex flex-col gap-5">
      {problem !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <Button
        tone="accent"
        size="lg"
        busy={busy}
        busyText="Confirming..."
        disabled={!hydrated}
        onClick={() => void confirm()}
      >
        Confirm email
      </Button>
      <p className="text-14 text-quiet">Didn't request this? Close this page and nothing will change.</p>
    </div>
  )
}

function EmailConfirmed({ email }: { email: string }) {
  const notice = useAutofocus()
  const { status } = useSession()
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="success" polite>
        <p>
          Your email is now <span className="font-medium wrap-anywhere">{email}</span>.
        </p>
      </Notice>
      {status === 'signed-in' ? (
        <Link to="/settings/account" className={buttonClass('accent', 'lg')}>
          Go to Settings
        </Link>
      ) : (
        <Link to="/login" className={buttonClass('accent', 'lg')}>
          Log in
        </Link>
      )}
    </div>
  )
}

/** @param arrived it took the place of the button: the focus goes there, and it is said aloud. */
function InvalidLink({ text, arrived = false }: { text: string; arrived?: boolean }) {
  const notice = useAutofocus(arrived)
  return (
    <div className="flex flex-col gap-5">
      <Notice ref={notice} tone="danger" urgent={arrived}>
        <p>{text}</p>
      </Notice>
      <p className="text-14 text-quiet">
        Confirmation links expire after 24 hours and can be used once. If you've already used it, your email
        is confirmed.
      </p>
      <Link to="/settings/account" className={buttonClass('accent', 'lg')}>
        Get a new link in Settings
      </Link>
    </div>
  )
}
