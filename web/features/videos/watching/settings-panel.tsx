import { clearWatched } from '@reelmark/contract/watching.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { PauseHistorySwitch } from './pause-history-switch.tsx'

/** Pauses and clears the watch history. */
export function WatchedSettingsPanel() {
  const client = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  return (
    <SettingsGroup
      title="Watched videos"
      lead={
        <>
          Only you can see which videos you've watched, and where you stopped.{' '}
          <Link to="/history" className="text-accent-ink underline underline-offset-4">
            View history
          </Link>
        </>
      }
      action={
        <Button aria-haspopup="dialog" onClick={() => setConfirming(true)}>
          Clear watch history
        </Button>
      }
    >
      <PauseHistorySwitch />
      <ConfirmRemovalDialog
        open={isConfirming}
        title="Clear watch history?"
        action="Clear"
        call={() => api(clearWatched, {})}
        onClose={() => setConfirming(false)}
        onDone={() => {
          toast('Watch history cleared.', { tone: 'success' })
          void client.invalidateQueries()
        }}
      >
        You can't undo this. Your bookmarks won't change.
      </ConfirmRemovalDialog>
    </SettingsGroup>
  )
}
