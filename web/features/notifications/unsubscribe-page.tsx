import { unsubscribe } from '@reelmark/contract/notifications.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { useHydrated } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { AccountPage } from '../../shared/pages/account-page.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'

/**
 * The page that the link at the end of a digest opens. A button unsubscribes, not the visit, because mail scanners open
 * every link. Mail programs with their own unsubscribe button do not open this page (RFC 8058).
 */
export function UnsubscribePage({ token }: { token: string }) {
  const [isDone, setDone] = useState(false)
  const hydrated = useHydrated()
  const { busy, error, errorText, run } = useApiMutation(unsubscribe, {
    onSuccess: () => setDone(true),
    errorText: (error) =>
      isInvalidLink(error) ? errors['invalid-email-link'][1] : "Couldn't unsubscribe. Try again.",
  })

  return (
    <AccountPage
      title="Unsubscribe from emails"
      lead="You'll stop getting notification emails. Your account won't change."
    >
      <div className="flex flex-col gap-5">
        {isDone && (
          <Notice tone="success" polite>
            <p>You're unsubscribed.</p>
          </Notice>
        )}
        <ErrorNotice text={errorText} />
        {!isDone && !isInvalidLink(error) && (
          <Button
            tone="accent"
            size="lg"
            busy={busy}
            busyText="Unsubscribing..."
            disabled={!hydrated}
            onClick={() => void run({ body: { token } })}
          >
            Unsubscribe
          </Button>
        )}
      </div>
    </AccountPage>
  )
}

function isInvalidLink(error: unknown): boolean {
  return isCallError(error) && error.status === 400
}
