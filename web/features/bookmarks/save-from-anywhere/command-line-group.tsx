import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { type ProgramGroupProps, ProgramSource } from './program-source.tsx'
import { Steps } from './steps.tsx'

/** The command-line client: how to get it, log in to this site and save a link. */
export function CommandLineGroup({ site, sourceCode }: ProgramGroupProps) {
  return (
    <SettingsGroup
      title="Command line"
      lead="The program “reelmark” saves, lists, searches, imports and exports bookmarks in a terminal. It needs Node.js 20.19 or later."
    >
      <ProgramSource file="the file reelmark.js" command="npm run build:cli" sourceCode={sourceCode} />
      <Steps title="Log in and save a link">
        <li>Copy reelmark.js to a folder of your PATH, name it “reelmark” and make it executable.</li>
        <li>Log in with the first command below. It opens this site, where you press “Allow”.</li>
        <li>Save a link with the second command. “reelmark help” lists the others.</li>
      </Steps>
      <CopyLine text={`reelmark login ${site}`} label="Copy login command" />
      <CopyLine text="reelmark add https://vimeo.com/76979871" label="Copy save command" />
    </SettingsGroup>
  )
}
