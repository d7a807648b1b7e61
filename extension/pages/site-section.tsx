import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Button } from '@reelmark/web/ui/button.tsx'
import { Field, Input } from '@reelmark/web/ui/field.tsx'
import { Notice } from '@reelmark/web/ui/notice.tsx'
import { pluralise } from '@reelmark/web/ui/pluralise.ts'
import { SectionTitle } from '@reelmark/web/ui/section-title.tsx'
import { type SubmitEvent, useState } from 'react'
import { type ConnectionRefusal, connect } from '../connection/connect.ts'
import { isUnencrypted, parseSiteAddress } from '../connection/site-address.ts'
import { requestDisconnect, sendMessage } from '../messages.ts'
import { productName } from '../names.ts'
import type { Connection } from '../stored.ts'
import { linkClass } from './already-saved.tsx'

const refusalTexts: Record<ConnectionRefusal, string> = {
  permission: 'Your browser needs your permission to contact the site. Connect again and allow it.',
  closed: 'The tab was closed before you allowed access. Connect again.',
  denied: "You didn't allow access.",
}

interface SiteSectionProps {
  connection: Connection | null
  pendingCount: number
}

/** Connects to a site, or disconnects from it. */
export function SiteSection({ connection, pendingCount }: SiteSectionProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** The address of a site that could not be reached to revoke the token. */
  const [unrevokedAt, setUnrevokedAt] = useState<string | null>(null)

  async function connectTo(site: string): Promise<void> {
    setProblem(null)
    setUnrevokedAt(null)
    setBusy(true)
    try {
      const refusal = await connect(site)
      if (refusal === null) void sendMessage({ type: 'send' })
      else setProblem(refusalTexts[refusal])
    } catch {
      setProblem(`Couldn't connect to ${new URL(site).host}. Try again.`)
    }
    setBusy(false)
  }

  async function disconnect(site: string): Promise<void> {
    setBusy(true)
    if (!(await requestDisconnect())) setUnrevokedAt(site)
    setBusy(false)
  }

  return (
    <section aria-labelledby="site" className="flex flex-col gap-4">
      <SectionTitle id="site">Your site</SectionTitle>
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {unrevokedAt !== null && (
        <Notice tone="danger" urgent title="Revoke access on the site, too">
          <p className="text-quiet">
            {new URL(unrevokedAt).host} couldn't be reached. Delete the token of this extension in{' '}
            <a href={`${unrevokedAt}/settings/tokens`} target="_blank" rel="noreferrer" className={linkClass}>
              its settings
            </a>{' '}
            when you can.
          </p>
        </Notice>
      )}
      {connection === null ? (
        <AddressForm isBusy={isBusy} onConnect={(site) => void connectTo(site)} />
      ) : (
        <Connected
          connection={connection}
          pendingCount={pendingCount}
          isBusy={isBusy}
          onConnect={() => void connectTo(connection.site)}
          onDisconnect={() => void disconnect(connection.site)}
        />
      )}
    </section>
  )
}

function AddressForm({ isBusy, onConnect }: { isBusy: boolean; onConnect: (site: string) => void }) {
  const [address, setAddress] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const site = parseSiteAddress(address)

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setInvalid(site === null)
    if (site !== null) onConnect(site)
  }

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field
        label="Site address"
        hint={
          site !== null && isUnencrypted(site)
            ? 'This address is not encrypted. Use it on a network you trust only.'
            : `The address of the ${productName} site where you have an account.`
        }
        error={isInvalid ? 'Enter an address such as https://videos.example.org' : null}
      >
        <Input
          name="site"
          type="url"
          value={address}
          maxLength={limits.urlMax}
          aria-required
          autoComplete="url"
          spellCheck={false}
          placeholder="https://"
          onChange={({ target }) => {
            setInvalid(false)
            setAddress(target.value)
          }}
        />
      </Field>
      <Button
        type="submit"
        tone="accent"
        className="self-start"
        busy={isBusy}
        busyText="Waiting for you to allow it..."
      >
        Connect
      </Button>
    </form>
  )
}

interface ConnectedProps {
  connection: Connection
  pendingCount: number
  isBusy: boolean
  onConnect: () => void
  onDisconnect: () => void
}

function Connected({ connection, pendingCount, isBusy, onConnect, onDisconnect }: ConnectedProps) {
  const [isAsking, setAsking] = useState(false)
  const { host } = new URL(connection.site)
  const isLost = connection.token === null
  return (
    <>
      <p role="status" className="text-14 wrap-anywhere">
        {isLost
          ? `${host} no longer accepts this connection. Connect again as ${connection.username} to send what is waiting.`
          : `Connected to ${host} as ${connection.username}.`}
      </p>
      {isAsking && pendingCount > 0 && (
        <Notice tone="danger" urgent title={`${pluralise(pendingCount, 'save')} will be deleted`}>
          <p className="text-quiet">They weren't sent to {host} yet.</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        {isLost && (
          <Button tone="accent" busy={isBusy} onClick={onConnect}>
            Connect again
          </Button>
        )}
        {isAsking ? (
          <>
            <Button tone="danger" busy={isBusy} onClick={onDisconnect}>
              Delete them and disconnect
            </Button>
            <Button tone="quiet" onClick={() => setAsking(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <Button
            tone={isLost ? 'quiet' : 'plain'}
            busy={isBusy}
            onClick={() => (pendingCount > 0 ? setAsking(true) : onDisconnect())}
          >
            Disconnect
          </Button>
        )}
      </div>
      <p className="text-13 text-quiet">
        Disconnecting revokes access to your account and removes everything about this site from this browser.
        Do this to use another site.
      </p>
    </>
  )
}
