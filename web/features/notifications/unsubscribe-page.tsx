import { unsubscribe } from '@reelmark/contract/notifications.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { useHydrated } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { AccountPage } from '../../shared/pages/account-page.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

type UnsubscribeState = 'waiting' | 'busy' | 'done' | 'bad-link' | 'failed'

/**
 * What the link at the end of a digest leads to. By a press, not by coming here: programs that look for evil in mails
 * follow every link. Mail programs with a button of their own never come here (RFC 8058).
 */
export function UnsubscribePage({ token }: { token: string }) {
  const [state, setState] = useState<UnsubscribeState>('waiting')
  const hydrated = useHydrated()

  async function send() {
    setState('busy')
    try {
      await api(unsubscribe, { body: { token } })
      setState('done')
    } catch (error) {
      setState(isCallError(error) && error.status === 400 ? 'bad-link' : 'failed')
    }
  }

  return (
    <AccountPage
      title="Unsubscribe from emails"
      lead="You'll stop getting notification emails. Your account won't change."
    >
      <div className="flex flex-col gap-5">
        {state === 'done' && (
          <Notice tone="success" polite>
            <p>You're unsubscribed.</p>
          </Notice>
        )}
        {state === 'bad-link' && (
          <Notice tone="danger" urgent>
            <p>{errors['invalid-email-link'][1]}</p>
          </Notice>
        )}
        {state === 'failed' && (
          <Notice tone="danger" urgent>
            <p>Couldn't unsubscribe. Try again.</p>
          </Notice>
        )}
        {state !== 'done' && state !== 'bad-link' && (
          <Button
            tone="accent"
            size="lg"
            busy={state === 'busy'}
            busyText="Unsubscribing..."
            disabled={!hydrated}
            onClick={() => void send()}
          >
            Unsubscribe
          </Button>
        )}
      </div>
    </AccountPage>
  )
}
