import { confirmEmailChange } from '@reelmark/contract/account-settings.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useHydrated } from '@tanstack/react-router'
import { useState } from 'react'
import { errorBody } from '../../../shared/errors/api-error.ts'
import { genericErrorText } from '../../../shared/errors/error-message.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { refreshUser, useSession } from '../../../shared/session/session.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'

const title = 'Confirm your email'
const invalidLinkText = errors['invalid-email-link'][1]

type ConfirmEmailState =
  | { kind: 'waiting' }
  | { kind: 'bad-link'; text: string }
  | { kind: 'done'; email: string }

/**
 * The page that the link in the confirmation mail opens. A button confirms the change, not the visit, because mail
 * scanners open every link.
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
  /** Receives the reason. */
  onInvalidLink: (text: string) => void
}

function ConfirmEmailForm({ token, onDone, onInvalidLink }: ConfirmEmailFormProps) {
  const hydrated = useHydrated()
  const queryClient = useQueryClient()
  const form = useApiForm(confirmEmailChange, {
    fields: [],
    toInput: () => ({ body: { token } }),
    async onSuccess({ email }) {
      onDone(email)
      // The session may still hold the old address.
      await refreshUser()
      void queryClient.invalidateQueries()
    },
    onError(error) {
      const isRefused = isCallError(error) && error.status === 400
      if (isRefused) onInvalidLink(detailText(error) ?? invalidLinkText)
      return isRefused
    },
    errorText: (error) => detailText(error) ?? genericErrorText,
  })

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Button
        type="submit"
        tone="accent"
        size="lg"
        busy={form.busy}
        busyText="Confirming..."
        disabled={!hydrated}
      >
        Confirm email
      </Button>
      <p className="text-14 text-quiet">Didn't request this? Close this page and nothing will change.</p>
    </form>
  )
}

function detailText(error: unknown): string | undefined {
  return errorTexts(errorBody(error).detail)[0]
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

/** @param arrived whether it replaced the button. Then it gets the focus and is announced. */
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
