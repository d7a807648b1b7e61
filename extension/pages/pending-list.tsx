import { Button, buttonClass } from '@reelmark/web/ui/button.tsx'
import { ListBox } from '@reelmark/web/ui/list-box.tsx'
import { pluralise } from '@reelmark/web/ui/pluralise.ts'
import { useState } from 'react'
import { sendMessage } from '../messages.ts'
import type { PendingSave } from '../saves/pending-save.ts'
import type { Connection } from '../stored.ts'

/** The saves that were not sent yet or that the site refused, with what the user can do about them. */
export function PendingList({ saves, connection }: { saves: PendingSave[]; connection: Connection | null }) {
  const [isSending, setSending] = useState(false)
  if (saves.length === 0) return null
  const refused = saves.filter(({ problem }) => problem !== null)
  const waiting = saves.length - refused.length
  const isConnected = connection !== null && connection.token !== null

  async function send(): Promise<void> {
    setSending(true)
    await sendMessage({ type: 'send' })
    setSending(false)
  }

  return (
    // Hidden while the form before it saves, because the list contains this save, too.
    <section aria-labelledby="pending" className="flex flex-col gap-3 peer-aria-busy:hidden">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="pending" role="status" className="min-w-0 flex-1 text-14 font-medium text-ink">
          {waiting > 0 && `${pluralise(waiting, 'save')} waiting to be sent. `}
          {refused.length > 0 && `${pluralise(refused.length, 'save')} refused.`}
        </h2>
        {waiting > 0 && isConnected && (
          <Button size="sm" busy={isSending} busyText="Sending..." onClick={() => void send()}>
            Send now
          </Button>
        )}
      </div>
      <ListBox className="max-h-60 overflow-y-auto!">
        {saves.map(({ key, request, problem }) => (
          <li key={key} className="flex flex-col gap-1 px-3 py-2 text-13">
            <span className="wrap-anywhere text-ink">{request.title || request.url}</span>
            {problem !== null && <span className="wrap-anywhere text-danger">{problem}</span>}
            <span className="-ml-3 flex flex-wrap">
              {problem !== null && isConnected && (
                <>
                  <Button
                    tone="quiet"
                    size="sm"
                    aria-label={`Try again: ${request.title || request.url}`}
                    onClick={() => void sendMessage({ type: 'retry', key })}
                  >
                    Try again
                  </Button>
                  <SiteFormLink connection={connection} url={request.url} />
                </>
              )}
              <Button
                tone="quiet"
                size="sm"
                aria-label={`Discard: ${request.title || request.url}`}
                onClick={() => void sendMessage({ type: 'discard', key })}
              >
                Discard
              </Button>
            </span>
          </li>
        ))}
      </ListBox>
    </section>
  )
}

/** Leads to the complete form of the site, in which everything can be corrected. */
function SiteFormLink({ connection, url }: { connection: Connection; url: string }) {
  return (
    <a
      href={`${connection.site}/bookmarks/create?${new URLSearchParams({ url })}`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass('quiet', 'sm')}
    >
      Save on the site
    </a>
  )
}
