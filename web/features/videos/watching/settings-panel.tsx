import { clearWatched } from '@reelmark/contract/watching.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'

/** Clears the watch history. */
export function WatchedSettingsPanel() {
  const client = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  return (
    <SettingsGroup
      title="Watched videos"
      lead="Only you can see which videos you've watched."
      action={
        <Button aria-haspopup="dialog" onClick={() => setConfirming(true)}>
          Clear watch history
        </Button>
      }
    >
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
