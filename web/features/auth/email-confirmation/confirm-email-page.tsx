import { confirmEmail, readEmailConfirmation } from '@reelmark/contract/account-settings.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { errorBody } from '../../../shared/errors/api-error.ts'
import { genericErrorText } from '../../../shared/errors/error-message.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { refreshUser, useSession } from '../../../shared/session/session.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'

const title = 'Confirm your email'
const invalidLinkText = errors['invalid-email-link'][1]

type ConfirmEmailState =
  | { kind: 'waiting' }
  | { kind: 'bad-link'; text: string }
  | { kind: 'done'; email: string }

/**
 * The page that the link in the confirmation mail opens. A button confirms the address, not the visit, because mail
 * scanners open every link. The page names the account: the mail does not, as it contains no text of a user, and nobody
 * should confirm an account that another person created with their address.
 */
export function ConfirmEmailPage({ token }: { token: string }) {
  const [state, setState] = useState<ConfirmEmailState>({ kind: 'waiting' })
  const confirmation = useQuery({
    queryKey: ['email-confirmation', token],
    queryFn: ({ signal }) => api(readEmailConfirmation, { body: { token } }, { signal }),
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (state.kind === 'done') {
    return (
      <AccountPage title={title}>
        <EmailConfirmed email={state.email} />
      </AccountPage>
    )
  }
  if (token === '' || state.kind === 'bad-link' || isBadLinkError(confirmation.error)) {
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
  if (confirmation.data === undefined) {
    return (
      <AccountPage title={title}>
        {confirmation.isError ? (
          <LinkNotRead
            text={detailText(confirmation.error) ?? genericErrorText}
            onRetry={() => void confirmation.refetch()}
          />
        ) : (
          <div role="status" aria-label="Loading" className="flex flex-col gap-3">
            <SkeletonLine className="w-64 max-w-full" />
            <SkeletonLine className="h-11" />
          </div>
        )}
      </AccountPage>
    )
  }
  return (
    <AccountPage title={title} lead="Confirm that this is your account and your email address.">
      <ConfirmEmailForm
        {...confirmation.data}
        token={token}
        onDone={(email) => setState({ kind: 'done', email })}
        onInvalidLink={(text) => setState({ kind: 'bad-link', text })}
      />
    </AccountPage>
  )
}

function isBadLinkError(error: unknown): boolean {
  return isCallError(error) && error.status === 400
}

/** The request for the contents of the link failed, for example because the browser is offline. */
function LinkNotRead({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <ErrorNotice text={text} />
      <Button size="lg" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

interface ConfirmEmailFormProps {
  token: string
  username: string
  email: string
  onDone: (email: string) => void
  /** Receives the reason. */
  onInvalidLink: (text: string) => void
}

function ConfirmEmailForm({ token, username, email, onDone, onInvalidLink }: ConfirmEmailFormProps) {
  const queryClient = useQueryClient()
  const form = useApiForm(confirmEmail, {
    fields: [],
    toInput: () => ({ body: { token } }),
    async onSuccess({ email }) {
      onDone(email)
      // The session may still hold the old address.
      await refreshUser()
      void queryClient.invalidateQueries({ queryKey: ['settings'] })
    },
    onError(error) {
      const isRefused = isBadLinkError(error)
      if (isRefused) onInvalidLink(detailText(error) ?? invalidLinkText)
      return isRefused
    },
    errorText: (error) => detailText(error) ?? genericErrorText,
  })

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <dl className="flex flex-col gap-3">
        <div>
          <dt className="text-13 text-quiet">Account</dt>
          <dd className="text-16 font-medium wrap-anywhere text-ink">{username}</dd>
        </div>
        <div>
          <dt className="text-13 text-quiet">Email</dt>
          <dd className="text-16 font-medium wrap-anywhere text-ink">{email}</dd>
        </div>
      </dl>
      <Button type="submit" tone="accent" size="lg" busy={form.busy} busyText="Confirming...">
        Confirm email
      </Button>
      <p className="text-14 text-quiet">
        Not your account, or didn't request this? Close this page and nothing will change.
      </p>
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
          <span className="font-medium wrap-anywhere">{email}</span> is confirmed.
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
