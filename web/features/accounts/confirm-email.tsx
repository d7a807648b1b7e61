import { confirmEmailChange } from '@reelmark/contract/account-settings.ts'
import { isCallError } from '@reelmark/contract/call.ts'
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import { errors } from '@reelmark/contract/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useHydrated } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../api.ts'
import { refreshUser, useSession } from '../../session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountPage } from './account-page.tsx'
import { failed } from './reset-problems.ts'
import { bodyOf } from './told.ts'
import { useFocusOnce } from './use-focus-once.ts'

const title = 'Confirm your email'
const badLink = errors['bad-email-link'][1]

type State = { kind: 'waiting' } | { kind: 'bad-link'; text: string } | { kind: 'done'; email: string }

/**
 * What the link in the mail to a new address leads to. It is confirmed by a press, not by coming here: programs that
 * look for evil in mails follow every link.
 */
export function ConfirmEmailPage({ token }: { token: string }) {
  const [state, setState] = useState<State>({ kind: 'waiting' })
  if (token === '' || state.kind === 'bad-link') {
    return (
      <AccountPage title={title}>
        {state.kind === 'bad-link' ? <BadLink text={state.text} arrived /> : <BadLink text={badLink} />}
      </AccountPage>
    )
  }
  if (state.kind === 'done') {
    return (
      <AccountPage title={title}>
        <Done email={state.email} />
      </AccountPage>
    )
  }
  return (
    <AccountPage title={title} lead="Confirm this address to use it for your account.">
      <Confirm
        token={token}
        onDone={(email) => setState({ kind: 'done', email })}
        onBadLink={(text) => setState({ kind: 'bad-link', text })}
      />
    </AccountPage>
  )
}

interface ConfirmProps {
  token: string
  onDone: (email: string) => void
  /** With why it does not work. */
  onBadLink: (text: string) => void
}

function Confirm({ token, onDone, onBadLink }: ConfirmProps) {
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
      const text = errorTexts(bodyOf(error).detail)[0]
      // 400: the link, or what is left of it.
      if (isCallError(error) && error.status === 400) return onBadLink(text ?? badLink)
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setProblem(text ?? failed)
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

function Done({ email }: { email: string }) {
  const notice = useFocusOnce()
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
function BadLink({ text, arrived = false }: { text: string; arrived?: boolean }) {
  const notice = useFocusOnce(arrived)
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
