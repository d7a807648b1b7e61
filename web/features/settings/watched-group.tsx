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
      lead="Videos that you marked as watched. Nobody else sees these marks."
      action={
        <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
          Clear watched videos
        </Button>
      }
    >
      <RemoveDialog
        open={asking}
        title="Clear watched videos?"
        action="Clear"
        call={() => api(clearWatched, {})}
        onClose={() => setAsking(false)}
        onDone={() => {
          toast('No video is marked as watched any more.', { tone: 'success' })
          void client.invalidateQueries()
        }}
      >
        All marks are gone for good. Your bookmarks stay as they are.
      </RemoveDialog>
    </Group>
  )
}
