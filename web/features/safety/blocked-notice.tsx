import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isSaidAsSuspension } from '../../suspension.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { toast } from '../../ui/toast.tsx'
import { type SafetyPerson, setBlocked } from './safety-calls.ts'

/** In the place of what somebody keeps whom one blocked. */
export function BlockedNotice({ person }: { person: SafetyPerson }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  async function unblock() {
    setBusy(true)
    try {
      await setBlocked(client, person, false)
      // The button goes with the notice; the keyboard goes on where a page begins.
      document.getElementById('content')?.focus({ preventScroll: true })
      toast(`${person.username} unblocked.`, { tone: 'success' })
    } catch (error) {
      setBusy(false)
      if (!isSaidAsSuspension(error))
        toast(`Couldn't unblock ${person.username}. Try again.`, { tone: 'danger' })
    }
  }

  return (
    <EmptyState
      title={`You blocked ${person.username}`}
      text="You won't see each other's bookmarks or comments."
    >
      <Button busy={busy} onClick={() => void unblock()}>
        Unblock
      </Button>
    </EmptyState>
  )
}
