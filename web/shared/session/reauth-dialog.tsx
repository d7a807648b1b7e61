import { reauthenticate } from '@reelmark/contract/account-settings.ts'
import { beginPasskeyReauthentication, reauthenticateWithPasskey } from '@reelmark/contract/passkeys.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { type FormEvent, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { api } from '../api/api.ts'
import { formErrorsFromServer } from '../forms/form-errors.ts'
import { getReauthRequest, type ReauthRequest, subscribeToReauth } from './reauthenticate.ts'
import { loginPath } from './redirects.ts'
import { signOut, useSession } from './session.ts'
import { getPasskeyAssertion, passkeyErrorText, usePasskeySupport } from './webauthn.ts'

const minutes = limits.reauthenticationSeconds / 60

/** Asks who one is for calls that were wrapped in `confirmed`. Once on a page that makes such calls; `why` it asks. */
export function ReauthDialog({ why = 'This change affects your account security.' }: { why?: string }) {
  const question = useSyncExternalStore(subscribeToReauth, getReauthRequest, () => null)
  return (
    <Dialog
      open={question !== null}
      onClose={() => question?.answer(false)}
      title="Confirm it's you"
      description={`${why} We'll ask at most every ${minutes} minutes.`}
    >
      {question !== null &&
        (question.methods.length === 0 ? <SignInAgain /> : <ReauthForm question={question} />)}
    </Dialog>
  )
}

function ReauthForm({ question: { methods, answer } }: { question: ReauthRequest }) {
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [wrong, setWrong] = useState<readonly string[]>([])
  const notice = useRef<HTMLDivElement>(null)
  const { username } = useSession()
  const byPasskey = usePasskeySupport() && methods.includes('passkey')

  async function confirm(by: 'password' | 'passkey', call: () => Promise<unknown>, input?: HTMLInputElement) {
    setBusy(by)
    setProblem(null)
    setWrong([])
    try {
      await call()
      answer(true)
    } catch (error) {
      const { fields, text } = formErrorsFromServer(error, ['password'])
      const named = fields.password
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(null)
        setWrong(named === undefined ? [] : [...named])
        setProblem(named === undefined ? (passkeyErrorText(error) ?? text) : null)
      })
      const focusRef = named === undefined ? notice.current : input
      focusRef?.focus()
      if (named !== undefined) input?.select()
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // A question asked from inside another form is not that form's submit.
    event.stopPropagation()
    const input = event.currentTarget.elements.namedItem('password') as HTMLInputElement
    if (input.value === '') {
      setWrong(['Password is required.'])
      input.focus()
      return
    }
    void confirm('password', () => api(reauthenticate, { body: { password: input.value } }), input)
  }

  return (
    <div className="flex flex-col gap-5 pt-1">
      {problem !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {methods.includes('password') && (
        <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
          {/* For password managers, which keep a password with its name. */}
          <input type="text" name="username" autoComplete="username" value={username ?? ''} readOnly hidden />
          <Field label="Your password" error={wrong}>
            <PasswordInput aria-required data-autofocus name="password" autoComplete="current-password" />
          </Field>
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => answer(false)}>Cancel</Button>
            <Button
              type="submit"
              tone="accent"
              busy={busy === 'password'}
              busyText="Confirming..."
              disabled={busy !== null}
            >
              Confirm
            </Button>
          </div>
        </form>
      )}
      {byPasskey && (
        <div
          className={`flex flex-col gap-4 ${methods.includes('password') ? 'border-t border-line pt-5' : ''}`}
        >
          <Button
            size="lg"
            data-autofocus={!methods.includes('password') || undefined}
            busy={busy === 'passkey'}
            busyText="Waiting for your passkey..."
            disabled={busy !== null}
            onClick={() =>
              void confirm('passkey', async () => {
                const { ticket, options } = await api(beginPasskeyReauthentication, {})
                await api(reauthenticateWithPasskey, {
                  body: { ticket, credential: await getPasskeyAssertion(options) },
                })
              })
            }
          >
            <Fingerprint className="size-5" />
            Use a passkey
          </Button>
        </div>
      )}
      {!methods.includes('password') && !byPasskey && (
        <Notice tone="info">
          <p>This browser doesn't support passkeys. Try a different browser.</p>
        </Notice>
      )}
    </div>
  )
}

/** Neither a password nor a passkey is set up: having just signed in is what shows who one is. */
function SignInAgain() {
  const [busy, setBusy] = useState(false)
  return (
    <div className="flex flex-col gap-5 pt-1">
      <p className="text-14 text-ink">
        Your account has no password or passkey. Log out and back in to continue. You won't need to confirm
        for {minutes} minutes.
      </p>
      <div className="flex justify-end">
        <Button
          tone="accent"
          busy={busy}
          busyText="Logging out..."
          onClick={() => {
            setBusy(true)
            void signOut(loginPath(window.location))
          }}
        >
          Log out and continue
        </Button>
      </div>
    </div>
  )
}
