import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isSuspensionError } from '../../../shared/session/suspension.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type BlockableUser, setBlocked } from './block-and-mute-calls.ts'

/** In the place of what somebody keeps whom one blocked. */
export function BlockedNotice({ person: user }: { person: BlockableUser }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  async function unblock() {
    setBusy(true)
    try {
      await setBlocked(client, user, false)
      // The button goes with the notice; the keyboard goes on where a page begins.
      document.getElementById('content')?.focus({ preventScroll: true })
      toast(`${user.username} unblocked.`, { tone: 'success' })
    } catch (error) {
      setBusy(false)
      if (!isSuspensionError(error))
        toast(`Couldn't unblock ${user.username}. Try again.`, { tone: 'danger' })
    }
  }

  return (
    <EmptyState
      title={`You blocked ${user.username}`}
      text="You won't see each other's bookmarks or comments."
    >
      <Button busy={busy} onClick={() => void unblock()}>
        Unblock
      </Button>
    </EmptyState>
  )
}
