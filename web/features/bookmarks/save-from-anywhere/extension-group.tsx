import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { type ProgramGroupProps, ProgramSource } from './program-source.tsx'
import { Steps } from './steps.tsx'

/** The browser extension: how to get it, install it and connect it to this site. */
export function ExtensionGroup({ site, sourceCode }: ProgramGroupProps) {
  return (
    <SettingsGroup
      title="Browser extension"
      lead="Saves the page you're on, a link, or all tabs of a window, and shows whether you already saved a page. If you're offline, it saves later."
    >
      <p className="measure text-14 text-quiet">The extension isn't in the browsers' stores yet.</p>
      <ProgramSource
        file="its zip file for your browser"
        command="npm run build:extension"
        sourceCode={sourceCode}
      />
      <Steps title="Chrome, Edge and Brave">
        <li>Unpack the zip file for Chrome into a folder that you won't move.</li>
        <li>Open chrome://extensions and turn on “Developer mode”.</li>
        <li>Press “Load unpacked” and choose the folder.</li>
      </Steps>
      <Steps title="Firefox, until you close it">
        <li>Unpack the zip file for Firefox.</li>
        <li>Open about:debugging and choose “This Firefox”.</li>
        <li>Press “Load Temporary Add-on” and choose the file manifest.json.</li>
      </Steps>
      <Steps title="Connect it to this site">
        <li>Press the icon of the extension, then “Connect”.</li>
        <li>Enter the address below and press “Connect”.</li>
        <li>Press “Allow” on the page that opens.</li>
      </Steps>
      <CopyLine text={site} label="Copy site address" />
    </SettingsGroup>
  )
}
