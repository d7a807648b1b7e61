import { clearWatched } from '@reelmark/contract/collecting.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { Group } from './section.tsx'

/** Forgetting what was watched. */
export function WatchedGroup() {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  return (
    <Group
      title="Watched videos"
      lead="Only you can see which videos you've watched."
      action={
        <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
          Clear watch history
        </Button>
      }
    >
      <RemoveDialog
        open={asking}
        title="Clear watch history?"
        action="Clear"
        call={() => api(clearWatched, {})}
        onClose={() => setAsking(false)}
        onDone={() => {
          toast('Watch history cleared.', { tone: 'success' })
          void client.invalidateQueries()
        }}
      >
        You can't undo this. Your bookmarks won't change.
      </RemoveDialog>
    </Group>
  )
}
