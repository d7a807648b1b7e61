import { Link } from '@tanstack/react-router'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { SettingsGroup, SettingsPanel } from '../../../shared/pages/settings-panel.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { BookmarkletGroup } from './bookmarklet-group.tsx'
import { CommandLineGroup } from './command-line-group.tsx'
import { ExtensionGroup } from './extension-group.tsx'
import type { ProgramGroupProps } from './program-source.tsx'
import { Steps } from './steps.tsx'

/** Explains how to save a video without leaving the page or app that shows it. */
export function SaveFromAnywherePanel({ sourceCode }: Pick<ProgramGroupProps, 'sourceCode'>) {
  const site = window.location.origin
  const addPage = new URL('/bookmarks/create', site).href
  // The parameter that may contain more than a link (add-bookmark/shared-link.ts).
  const shortcutAddress = `${addPage}?text=`
  return (
    <SettingsPanel
      title="Save from anywhere"
      lead="Send a video to Reelmark from the page or app you found it in. You review it before it's saved, unless you use the extension or the command line."
    >
      <BookmarkletGroup addPage={addPage} />
      <ExtensionGroup site={site} sourceCode={sourceCode} />
      <SettingsGroup
        title="Share menu on Android"
        lead="Once Reelmark is installed as an app, it's in the share menu of other apps."
      >
        <Steps title="Chrome, Edge and Samsung Internet">
          <li>Open the menu of the browser on this site and choose “Add to Home screen” or “Install app”.</li>
          <li>In any app, share a video and choose Reelmark.</li>
        </Steps>
      </SettingsGroup>
      <SettingsGroup title="Share menu on iPhone and iPad" lead="A shortcut adds Reelmark to the share menu.">
        <CopyLine text={shortcutAddress} label="Copy address" />
        <Steps title="Make the shortcut">
          <li>Copy the address above.</li>
          <li>Open the Shortcuts app, press + and name the shortcut “Save to Reelmark”.</li>
          <li>Open its details (the “i” button) and turn on “Show in Share Sheet”.</li>
          <li>At the top of the shortcut, let it receive only URLs and Text.</li>
          <li>Add the action “URL Encode”, with Shortcut Input as its text.</li>
          <li>Add the action “URL”: paste the address, and after it insert the variable URL Encoded Text.</li>
          <li>Add the action “Open URLs”.</li>
          <li>In any app, share a video and choose “Save to Reelmark”.</li>
        </Steps>
      </SettingsGroup>
      <CommandLineGroup site={site} sourceCode={sourceCode} />
      <SettingsGroup
        title="Many links at once"
        lead={
          <>
            Import bookmarks, playlists and lists of links in{' '}
            <Link to="/settings/data" className={textLinkClass}>
              Settings → Data
            </Link>
            .
          </>
        }
      />
    </SettingsPanel>
  )
}
