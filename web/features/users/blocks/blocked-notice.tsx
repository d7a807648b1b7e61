import { useQueryClient } from '@tanstack/react-query'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { isSuspensionError } from '../../../shared/session/suspension.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type BlockableUser, setBlocked } from './block-and-mute-calls.ts'

/** Shown instead of the content of a user whom the viewer blocked. */
export function BlockedNotice({ user }: { user: BlockableUser }) {
  const client = useQueryClient()
  const { busy, run } = useApiMutation(() => setBlocked(client, user, false), {
    onSuccess() {
      // The button disappears with the notice, so the focus moves to the start of the page.
      document.getElementById('content')?.focus({ preventScroll: true })
      toast(`${user.username} unblocked.`, { tone: 'success' })
    },
    onError(error) {
      if (!isSuspensionError(error))
        toast(`Couldn't unblock ${user.username}. Try again.`, { tone: 'danger' })
    },
  })

  return (
    <EmptyState
      title={`You blocked ${user.username}`}
      text="You won't see each other's bookmarks or comments."
    >
      <Button busy={busy} onClick={() => void run()}>
        Unblock
      </Button>
    </EmptyState>
  )
}
