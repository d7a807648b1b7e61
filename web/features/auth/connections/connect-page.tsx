import { clientName, createConnectionCode, knownClients } from '@reelmark/contract/connections.ts'
import { useRouter } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import { useEffect, useState } from 'react'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { ReauthDialog } from '../../../shared/session/reauth-dialog.tsx'
import { loginPath, redirectTo } from '../../../shared/session/redirects.ts'
import { signOut, useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { ExpirySelect, readExpiry } from '../access-tokens/expiry-select.tsx'
import { scopeTexts } from '../access-tokens/scope-texts.ts'
import {
  answerAddress,
  type ConnectionRequest,
  type ConnectSearch,
  readConnectionRequest,
} from './connection-request.ts'

/** The id of the browser extension. */
const extensionId = 'reelmark-extension'

/**
 * Asks whether a program may use the user's account, and takes the answer to the program. Visitors log in first, unless
 * the request is invalid, which is explained to everyone.
 */
export function ConnectPage({ search }: { search: ConnectSearch }) {
  const { request, problem } = readConnectionRequest(search)
  const { status } = useSession()
  const { history } = useRouter()
  const needsLogin = request !== null && status === 'signed-out'
  useEffect(() => {
    if (needsLogin) history.replace(loginPath(window.location))
  }, [needsLogin, history])
  return (
    <AccountPage title="Connect a program">
      {request === null ? (
        <Notice tone="danger" title="This link isn't valid">
          <p>Open it again from the program. If this happens again, tell its developer:</p>
          <p className="font-mono text-13 wrap-anywhere">{problem}</p>
        </Notice>
      ) : status === 'signed-in' ? (
        <ConnectForm request={request} />
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-3">
          <SkeletonLine className="w-64 max-w-full" />
          <SkeletonLine className="h-11" />
        </div>
      )}
    </AccountPage>
  )
}

function ConnectForm({ request }: { request: ConnectionRequest }) {
  const { client_id, scopes, code_challenge, redirect_uri } = request
  const { username } = useSession()
  const { history } = useRouter()
  const [isLeaving, setIsLeaving] = useState(false)
  /** Leaves the form, without a way back to it. */
  const takeAnswer = (answer: Parameters<typeof answerAddress>[1]) => {
    setIsLeaving(true)
    const address = answerAddress(request, answer)
    if (redirect_uri === null) history.replace(address)
    else redirectTo(address)
  }
  const form = useApiForm(createConnectionCode, {
    fields: ['expires_in_days'],
    toInput: ({ expires_in_days }) => ({
      body: {
        client_id,
        scopes,
        code_challenge,
        code_challenge_method: 'S256' as const,
        ...(redirect_uri !== null && { redirect_uri }),
        expires_in_days: readExpiry(expires_in_days),
      },
    }),
    onSuccess: ({ code }) => takeAnswer({ code }),
  })
  const name = clientName(client_id)
  const useAnotherAccount = () => void signOut(loginPath(window.location))

  return (
    <>
      <form {...form.props} className="flex flex-col gap-6">
        <ErrorNotice ref={form.notice} text={form.errorText} />
        <p className="text-16 text-ink">
          <strong className="font-semibold wrap-anywhere">{name}</strong> wants to use your Reelmark account.
        </p>
        {!Object.hasOwn(knownClients, client_id) && (
          <Notice tone="danger" title="Unverified program">
            <p className="text-quiet">
              Reelmark doesn't know this program. It chose its name itself. Allow it only if you installed it
              and trust it.
            </p>
          </Notice>
        )}
        {redirect_uri === null && (
          // Our extension reads the code from the page. Other programs have an address, or someone asks for the code.
          <Notice tone={client_id === extensionId ? 'info' : 'danger'} title="Don't pass on the code">
            <p className="text-quiet">
              The next page shows a code. It gives access to your account. Enter it only in a program that you
              started yourself. Never give it to anyone or enter it on a website.
            </p>
          </Notice>
        )}
        <section aria-labelledby="connection-scopes">
          <h2 id="connection-scopes" className="text-14 font-medium text-ink">
            It will be able to
          </h2>
          <ul className="mt-2 flex flex-col gap-2">
            {scopes.map((scope) => (
              <li key={scope} className="flex gap-2 text-14 text-quiet">
                <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
                <span>
                  <span className="font-medium text-ink">{scopeTexts[scope].label}:</span>{' '}
                  {scopeTexts[scope].hint}
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-2 text-14 text-quiet">
            It can't see or change your password, sessions or access tokens.
          </p>
        </section>
        <dl className="flex flex-col gap-3">
          <div>
            <dt className="text-13 text-quiet">Account</dt>
            <dd className="flex flex-wrap items-center gap-x-3">
              <span className="text-16 font-medium wrap-anywhere text-ink">{username}</span>
              <Button size="sm" tone="quiet" onClick={useAnotherAccount}>
                Use another account
              </Button>
            </dd>
          </div>
          <div>
            <dt className="text-13 text-quiet">Your answer goes to</dt>
            <dd className="text-14 wrap-anywhere text-ink">{describeTarget(redirect_uri)}</dd>
          </div>
        </dl>
        <ExpirySelect defaultDays={365} error={form.fieldErrors.expires_in_days} />
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            tone="accent"
            size="lg"
            busy={form.busy || isLeaving}
            busyText="Connecting..."
          >
            Allow
          </Button>
          <Button
            size="lg"
            disabled={form.busy || isLeaving}
            onClick={() => takeAnswer({ error: 'access_denied' })}
          >
            Cancel
          </Button>
        </div>
        <p className="text-14 text-quiet">
          Continue only if you just started this in the program. You can disconnect it any time in Settings →
          Access tokens.
        </p>
      </form>
      <ReauthDialog reason={`This gives ${name} access to your account.`} />
    </>
  )
}

function describeTarget(redirectUri: string | null): string {
  if (redirectUri === null)
    return 'A page of this site that shows a code, which the program reads or you copy.'
  return `A program on this computer, at ${new URL(redirectUri).host}.`
}
