import { reauthenticate } from '@reelmark/contract/account-settings.ts'
import { beginPasskeyReauthentication, reauthenticateWithPasskey } from '@reelmark/contract/passkeys.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { type FormEvent, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { api } from '../api/api.ts'
import { type FormErrors, formErrorsFromServer } from '../forms/form-errors.ts'
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
      canDiscard
      description={`${reason} We'll ask at most every ${minutes} minutes.`}
    >
      {request !== null &&
        (request.methods.length === 0 ? <SignInAgain /> : <ReauthForm request={request} />)}
    </Dialog>
  )
}

const fieldNames = ['password', 'verification_code'] as const
type FieldName = (typeof fieldNames)[number]

/**
 * The ways to confirm. Only one of them runs at a time, and both report errors in one place. `useApiForm` does not fit,
 * because it calls `withReauth`, and a second request for reauthentication would cancel the one that this form answers.
 */
function ReauthForm({ request: { methods, secondFactors, answer } }: { request: ReauthRequest }) {
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null)
  const [errorText, setErrorText] = useState<string | null>(null)
  const [fieldErrors, setFieldErrors] = useState<FormErrors<FieldName>['fields']>({})
  const notice = useRef<HTMLDivElement>(null)
  const { username } = useSession()
  const canUsePasskey = usePasskeySupport() && methods.includes('passkey')

  async function confirm(
    method: 'password' | 'passkey',
    call: () => Promise<unknown>,
    form?: HTMLFormElement,
  ) {
    setBusy(method)
    setErrorText(null)
    setFieldErrors({})
    try {
      await call()
      answer(true)
    } catch (error) {
      const { fields, text } = formErrorsFromServer(error, fieldNames)
      const input = findFirstInput(form, fields)
      // Renders the error before the focus moves to it.
      flushSync(() => {
        setBusy(null)
        setFieldErrors(fields)
        setErrorText(input === undefined ? (passkeyErrorText(error) ?? text) : null)
      })
      const target = input ?? notice.current
      target?.focus()
      input?.select()
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Submitting must not submit a surrounding form as well.
    event.stopPropagation()
    const form = event.currentTarget
    const value = (name: FieldName) => findInput(form, name)?.value.trim() ?? ''
    const password = findInput(form, 'password')?.value ?? ''
    const code = value('verification_code')
    const missing: typeof fieldErrors = {
      ...(password === '' && { password: 'Password is required.' }),
      ...(secondFactors.length > 0 && code === '' && { verification_code: 'Enter a code.' }),
    }
    if (Object.keys(missing).length > 0) {
      setFieldErrors(missing)
      findFirstInput(form, missing)?.focus()
      return
    }
    const body = { password, ...(secondFactors.length > 0 && { verification_code: code }) }
    void confirm('password', () => api(reauthenticate, { body }), form)
  }

  return (
    <div className="flex flex-col gap-5 pt-1">
      {errorText !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{errorText}</p>
        </Notice>
      )}
      {canUsePasskey && (
        <div
          className={`flex flex-col gap-4 ${methods.includes('password') ? 'border-b border-line pb-5' : ''}`}
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
      {methods.includes('password') && (
        <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
          {/* Password managers store a password together with a username. */}
          <input type="text" name="username" autoComplete="username" value={username ?? ''} readOnly hidden />
          <Field label="Your password" error={fieldErrors.password}>
            <PasswordInput aria-required data-autofocus name="password" autoComplete="current-password" />
          </Field>
          {secondFactors.length > 0 && (
            <Field {...codeTexts(secondFactors)} error={fieldErrors.verification_code}>
              <Input
                aria-required
                name="verification_code"
                autoComplete="one-time-code"
                autoCapitalize="none"
                autoCorrect="off"
                spellCheck={false}
                maxLength={50}
              />
            </Field>
          )}
          <DialogFooter>
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
          </DialogFooter>
        </form>
      )}
      {!methods.includes('password') && !canUsePasskey && (
        <Notice tone="info">
          <p>This browser doesn't support passkeys. Try a different browser.</p>
        </Notice>
      )}
    </div>
  )
}

function findInput(form: HTMLFormElement | undefined, name: FieldName): HTMLInputElement | undefined {
  const control = form?.elements.namedItem(name)
  return control instanceof HTMLInputElement ? control : undefined
}

/** Returns the first field with an error, or undefined if no field has one. */
function findFirstInput(form: HTMLFormElement | undefined, errors: FormErrors<FieldName>['fields']) {
  const name = fieldNames.find((name) => errors[name] !== undefined)
  return name === undefined ? undefined : findInput(form, name)
}

function codeTexts(secondFactors: ReauthRequest['secondFactors']): { label: string; hint: string } {
  if (!secondFactors.includes('authenticator'))
    return { label: 'Recovery code', hint: 'Enter one of your saved recovery codes. Each code works once.' }
  const orRecoveryCode = secondFactors.includes('recovery_code') ? ', or a recovery code' : ''
  return {
    label: 'Authenticator code',
    hint: `Enter the 6-digit code from your authenticator app${orRecoveryCode}.`,
  }
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
