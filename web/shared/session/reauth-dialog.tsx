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

/**
 * Asks the user to reauthenticate for calls made through `withReauth`. Render it once on each page with such calls.
 * @param reason explains why the page asks.
 */
export function ReauthDialog({ reason = 'This change affects your account security.' }: { reason?: string }) {
  const request = useSyncExternalStore(subscribeToReauth, getReauthRequest, () => null)
  return (
    <Dialog
      open={request !== null}
      onClose={() => request?.answer(false)}
      title="Confirm it's you"
      description={`${reason} We'll ask at most every ${minutes} minutes.`}
    >
      {request !== null &&
        (request.methods.length === 0 ? <SignInAgain /> : <ReauthForm request={request} />)}
    </Dialog>
  )
}

function ReauthForm({ request: { methods, answer } }: { request: ReauthRequest }) {
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null)
  const [errorText, setErrorText] = useState<string | null>(null)
  const [passwordErrors, setPasswordErrors] = useState<readonly string[]>([])
  const notice = useRef<HTMLDivElement>(null)
  const { username } = useSession()
  const canUsePasskey = usePasskeySupport() && methods.includes('passkey')

  async function confirm(
    method: 'password' | 'passkey',
    call: () => Promise<unknown>,
    input?: HTMLInputElement,
  ) {
    setBusy(method)
    setErrorText(null)
    setPasswordErrors([])
    try {
      await call()
      answer(true)
    } catch (error) {
      const { fields, text } = formErrorsFromServer(error, ['password'])
      const fieldErrors = fields.password
      // Renders the error before the focus moves to it.
      flushSync(() => {
        setBusy(null)
        setPasswordErrors(fieldErrors === undefined ? [] : [...fieldErrors])
        setErrorText(fieldErrors === undefined ? (passkeyErrorText(error) ?? text) : null)
      })
      const target = fieldErrors === undefined ? notice.current : input
      target?.focus()
      if (fieldErrors !== undefined) input?.select()
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Submitting must not submit a surrounding form as well.
    event.stopPropagation()
    const input = event.currentTarget.elements.namedItem('password') as HTMLInputElement
    if (input.value === '') {
      setPasswordErrors(['Password is required.'])
      input.focus()
      return
    }
    void confirm('password', () => api(reauthenticate, { body: { password: input.value } }), input)
  }

  return (
    <div className="flex flex-col gap-5 pt-1">
      {errorText !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{errorText}</p>
        </Notice>
      )}
      {methods.includes('password') && (
        <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
          {/* Password managers store a password together with a username. */}
          <input type="text" name="username" autoComplete="username" value={username ?? ''} readOnly hidden />
          <Field label="Your password" error={passwordErrors}>
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
      {canUsePasskey && (
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
      {!methods.includes('password') && !canUsePasskey && (
        <Notice tone="info">
          <p>This browser doesn't support passkeys. Try a different browser.</p>
        </Notice>
      )}
    </div>
  )
}

/** Shown for accounts without password and passkey: only a new login proves the user's identity. */
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
