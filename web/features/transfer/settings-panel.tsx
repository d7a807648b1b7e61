import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link } from '@tanstack/react-router'
import { SettingsGroup, SettingsPanel } from '../../shared/pages/settings-panel.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { WatchedSettingsPanel } from '../videos/public-api.ts'
import { ExportsPanel } from './exports-panel.tsx'
import { ImportPanel } from './imports/import-panel.tsx'
import { SubscriptionsPanel } from './subscriptions/subscriptions-panel.tsx'

/** Settings to export, import and clear data. */
export function TransferSettingsPanel() {
  return (
    <SettingsPanel title="Data" lead="Your data belongs to you. Export it or import from another account.">
      <ExportsPanel />
      <ImportPanel />
      <SubscriptionsPanel />
      <WatchedSettingsPanel />
      <SettingsGroup
        title="Trash"
        lead={`Deleted bookmarks can be restored for ${limits.trashRetentionDays} days.`}
        action={
          <Link to="/trash" className={buttonClass()}>
            Open trash
          </Link>
        }
      />
    </SettingsPanel>
  )
}
