/** The popup of the toolbar icon. */
import { Button, IconButton } from '@reelmark/web/ui/button.tsx'
import { Notice } from '@reelmark/web/ui/notice.tsx'
import { useQuery } from '@tanstack/react-query'
import Settings from 'lucide-react/icons/settings'
import { useEffect, useState } from 'react'
import { markTabSaved } from '../badge.ts'
import { browser } from '../browser.ts'
import { sendMessage } from '../messages.ts'
import { productName } from '../names.ts'
import { readActiveTab } from '../saves/page-details.ts'
import type { SaveOutcome } from '../saves/save-outcome.ts'
import { linkClass } from './already-saved.tsx'
import { ConnectionNotice, openOptions } from './connection-notice.tsx'
import { Logo } from './logo.tsx'
import { PendingList } from './pending-list.tsx'
import { SaveForm } from './save-form.tsx'
import { showPage } from './show-page.tsx'
import { useStored } from './use-stored.ts'

function Popup() {
  const connection = useStored('connection')
  const saves = useStored('pendingSaves')
  const { data: page } = useQuery({ queryKey: ['page'], queryFn: readActiveTab, staleTime: Infinity })
  const [done, setDone] = useState<SaveOutcome | null>(null)
  useEffect(() => {
    void sendMessage({ type: 'send' })
  }, [])
  if (connection === undefined || saves === undefined || page === undefined) return null
  const isConnected = connection !== null && connection.token !== null

  function finish(outcome: SaveOutcome): void {
    setDone(outcome)
    if (outcome.kind === 'saved' && page?.tabId) void markTabSaved(page.tabId)
  }

  return (
    <>
      <header className="flex items-center justify-between border-b border-line px-4 py-1">
        <Logo />
        <IconButton label="Settings" onClick={() => void openOptions()}>
          <Settings className="size-5" />
        </IconButton>
      </header>
      <main className="flex flex-col gap-3 p-4 pb-2">
        <h1 className="sr-only">Save to {productName}</h1>
        {!isConnected && <ConnectionNotice connection={connection} />}
        {done !== null && <Done outcome={done} site={connection?.site ?? null} />}
        {done === null && connection !== null && (
          <SaveForm page={page} site={isConnected ? connection.site : null} onDone={finish} />
        )}
        <PendingList saves={saves} connection={connection} />
        {connection !== null && (
          <Button tone="quiet" size="sm" onClick={() => void openTabsPage()}>
            Save all tabs of this window
          </Button>
        )}
      </main>
    </>
  )
}

async function openTabsPage(): Promise<void> {
  const { id } = await browser.windows.getCurrent()
  await browser.tabs.create({ url: browser.runtime.getURL(`tabs.html?window=${id}`) })
  window.close()
}

/** What happened to the save, in place of the form. */
function Done({ outcome, site }: { outcome: SaveOutcome; site: string | null }) {
  if (outcome.kind === 'saved')
    return (
      <Notice ref={focus} tone="success" polite title="Saved">
        {outcome.bookmarkId !== null && site !== null && (
          <p>
            <a
              href={`${site}/bookmarks/${outcome.bookmarkId}`}
              target="_blank"
              rel="noreferrer"
              className={linkClass}
            >
              View bookmark
            </a>
          </p>
        )}
      </Notice>
    )
  return (
    <Notice ref={focus} tone="info" polite title="Saved on this device">
      <p className="text-quiet">
        {outcome.kind === 'disconnected'
          ? 'It will be sent after you connect again.'
          : `It will be sent when ${site === null ? 'your site' : new URL(site).host} can be reached.`}
      </p>
    </Notice>
  )
}

function focus(element: HTMLElement | null): void {
  element?.focus()
}

showPage('Save', <Popup />)
