/** Saves several tabs of a window. */
import { Button } from '@reelmark/web/ui/button.tsx'
import { Checkbox } from '@reelmark/web/ui/field.tsx'
import { ListBox } from '@reelmark/web/ui/list-box.tsx'
import { Notice } from '@reelmark/web/ui/notice.tsx'
import { PageTitle } from '@reelmark/web/ui/page-title.tsx'
import { pluralise } from '@reelmark/web/ui/pluralise.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { browser } from '../browser.ts'
import { requestSaves, type SaveResult } from '../messages.ts'
import { isSavable } from '../saves/find-saved.ts'
import { quickSave } from '../saves/pending-save.ts'
import type { SaveOutcome } from '../saves/save-outcome.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { Logo } from './logo.tsx'
import { DestinationFields, PrivateSwitch } from './option-fields.tsx'
import { PendingList } from './pending-list.tsx'
import { requestedOptions, type SaveOptions, tagProblem, useAccount, useSaveOptions } from './save-options.ts'
import { showPage } from './show-page.tsx'
import { TagsField } from './tags-field.tsx'
import { useStored } from './use-stored.ts'

/** Without this permission, browsers report the tabs without their addresses. */
const permissions: chrome.permissions.Permissions = { permissions: ['tabs'] }

const windowId = Number(new URLSearchParams(location.search).get('window'))

interface OpenTab {
  url: string
  title: string
}

/** Returns the tabs of the window, each address once; null if the user has not allowed it yet. */
async function readTabs(): Promise<OpenTab[] | null> {
  if (!(await browser.permissions.contains(permissions))) return null
  // The window may be closed, for example after the browser restored this page.
  const tabs = await browser.tabs.query({ windowId }).catch(() => [])
  const byUrl = new Map(tabs.map(({ url = '', title = '' }) => [url, { url, title }]))
  return [...byUrl.values()].filter(({ url }) => isSavable(url))
}

function TabsPage() {
  const connection = useStored('connection')
  const saves = useStored('pendingSaves')
  const tabs = useQuery({ queryKey: ['tabs'], queryFn: readTabs, staleTime: Infinity })
  const [results, setResults] = useState<SaveResult[] | null>(null)
  if (connection === undefined || saves === undefined || tabs.data === undefined) return null
  const site = connection !== null && connection.token !== null ? connection.site : null

  async function allow(): Promise<void> {
    if (await browser.permissions.request(permissions)) await tabs.refetch()
  }

  return (
    <main className="mx-auto flex w-full max-w-180 flex-col gap-6 px-4 py-8">
      <Logo />
      <PageTitle>Save tabs</PageTitle>
      {site === null && <ConnectionNotice connection={connection} />}
      {tabs.data === null ? (
        <Notice tone="info" title="Show the tabs of this window">
          <p className="text-quiet">
            Your browser asks whether this extension may see the addresses of your tabs. They are sent to your
            site only when you save them.
          </p>
          <Button tone="accent" className="mt-2 self-start" onClick={() => void allow()}>
            Show tabs
          </Button>
        </Notice>
      ) : results === null ? (
        <TabsForm tabs={tabs.data} site={site} onDone={setResults} />
      ) : (
        <Notice tone="success" polite title={resultText(results)} />
      )}
      <PendingList saves={saves} connection={connection} />
    </main>
  )
}

interface TabsFormProps {
  tabs: OpenTab[]
  site: string | null
  onDone: (results: SaveResult[]) => void
}

function TabsForm({ tabs, site, onDone }: TabsFormProps) {
  const isConnected = site !== null
  const { account, hasFailed } = useAccount(isConnected)
  const [edited, setEdited] = useState<Partial<SaveOptions>>({})
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const [isSaving, setSaving] = useState(false)
  const [hasFailedToSave, setFailedToSave] = useState(false)
  const options = useSaveOptions(edited, account)
  const change = (changes: Partial<SaveOptions>) => setEdited((before) => ({ ...before, ...changes }))
  const chosen = tabs.filter(({ url }) => !excluded.has(url))
  const tagsError = tagProblem(options.tags)

  function choose(url: string, isChosen: boolean): void {
    const next = new Set(excluded)
    if (isChosen) next.delete(url)
    else next.add(url)
    setExcluded(next)
  }

  async function save(): Promise<void> {
    setSaving(true)
    setFailedToSave(false)
    const shared = requestedOptions(options)
    const results = await requestSaves(
      chosen.map(({ url, title }) => ({ ...quickSave(url, title), ...shared })),
    )
    setSaving(false)
    if (results.length > 0) onDone(results)
    else setFailedToSave(true)
  }

  if (tabs.length === 0) return <p className="text-quiet">This window has no tabs that can be saved.</p>
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.length > 0 && tagsError === null) void save()
      }}
    >
      <fieldset>
        <legend className="sr-only">Tabs to save</legend>
        <ListBox>
          {tabs.map(({ url, title }) => (
            <li key={url} className="px-3 pt-1 pb-3">
              <Checkbox
                label={<span className="wrap-anywhere">{title || url}</span>}
                hint={<span className="wrap-anywhere">{new URL(url).host}</span>}
                checked={!excluded.has(url)}
                onChange={({ target }) => choose(url, target.checked)}
              />
            </li>
          ))}
        </ListBox>
      </fieldset>
      <DestinationFields options={options} onChange={change} account={account} hasFailed={hasFailed} />
      <TagsField
        line={options.tags}
        onChange={(tags) => change({ tags })}
        problem={tagsError}
        keywords={[]}
        isConnected={isConnected}
      />
      <PrivateSwitch options={options} onChange={change} account={account} />
      {hasFailedToSave && (
        <Notice tone="danger" urgent title="Couldn't save these tabs">
          <p className="text-quiet">If they aren't listed below, try again.</p>
        </Notice>
      )}
      <Button
        type="submit"
        tone="accent"
        size="lg"
        disabled={chosen.length === 0}
        busy={isSaving}
        busyText="Saving..."
      >
        Save {pluralise(chosen.length, 'tab')}
      </Button>
    </form>
  )
}

/** Returns what happened to the tabs: '12 saved, 1 refused'. */
function resultText(results: readonly SaveResult[]): string {
  const count = (kinds: SaveOutcome['kind'][]) =>
    results.filter(({ outcome }) => kinds.includes(outcome.kind)).length
  const parts = [
    [count(['saved']), 'saved'],
    [count(['waiting', 'disconnected']), 'waiting to be sent'],
    [count(['refused']), 'refused'],
  ] as const
  return parts
    .filter(([number]) => number > 0)
    .map(([number, text]) => `${number} ${text}`)
    .join(', ')
}

showPage('Save tabs', <TabsPage />)
