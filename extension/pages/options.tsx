/** The options: the user's site, pending saves, looking up visited pages, and shortcuts. */
import { PageTitle } from '@reelmark/web/ui/page-title.tsx'
import { SectionTitle } from '@reelmark/web/ui/section-title.tsx'
import { Switch } from '@reelmark/web/ui/switch.tsx'
import { useQuery } from '@tanstack/react-query'
import { browser } from '../browser.ts'
import { writeStored } from '../stored.ts'
import { Logo } from './logo.tsx'
import { PendingList } from './pending-list.tsx'
import { showPage } from './show-page.tsx'
import { SiteSection } from './site-section.tsx'
import { useStored } from './use-stored.ts'

function OptionsPage() {
  const connection = useStored('connection')
  const saves = useStored('pendingSaves')
  const checksEveryPage = useStored('checksEveryPage')
  if (connection === undefined || saves === undefined || checksEveryPage === undefined) return null
  return (
    <main className="mx-auto flex w-full max-w-180 flex-col gap-8 px-4 py-8">
      <Logo />
      <PageTitle>Extension settings</PageTitle>
      <SiteSection connection={connection} pendingCount={saves.length} />
      <PendingList saves={saves} connection={connection} />
      <section aria-labelledby="privacy" className="flex flex-col gap-2">
        <SectionTitle id="privacy">Privacy</SectionTitle>
        <p className="text-14 text-quiet">
          The extension sends data to your site only, and no usage statistics. The address of a page is sent
          when you save the page, and when you open the popup on it, to show whether you already saved it.
        </p>
        <Switch
          label="Mark every page that I already saved"
          hint="Sends the address of every page you visit to your site, except in private windows."
          checked={checksEveryPage}
          onChange={({ target }) => void setChecksEveryPage(target.checked)}
        />
      </section>
      <Shortcuts />
    </main>
  )
}

/** Turns looking up visited pages on, if the user allows the extension to see their addresses, or off. */
async function setChecksEveryPage(isOn: boolean): Promise<void> {
  const isAllowed = isOn && (await browser.permissions.request({ permissions: ['tabs'] }))
  await writeStored('checksEveryPage', isAllowed)
}

function Shortcuts() {
  const { data = [] } = useQuery({ queryKey: ['commands'], queryFn: () => browser.commands.getAll() })
  return (
    <section aria-labelledby="shortcuts" className="flex flex-col gap-2">
      <SectionTitle id="shortcuts">Keyboard shortcuts</SectionTitle>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-14">
        {data.map(({ name, description, shortcut }) => (
          <div key={name} className="contents">
            <dt>{name === '_execute_action' ? 'Open the popup' : description}</dt>
            <dd className="text-quiet">{shortcut || 'Not set'}</dd>
          </div>
        ))}
      </dl>
      <p className="text-13 text-quiet">You can change them in your browser's settings for extensions.</p>
    </section>
  )
}

showPage('Settings', <OptionsPage />)
