import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type SafetyPerson, setBlocked } from './safety-calls.ts'

interface BlockQuestionProps {
  person: SafetyPerson
  open: boolean
  onClose: () => void
  onBlocked: () => void
}

/** Says what a block does, asks, and blocks. */
export function BlockQuestion({ person, open, onClose, onBlocked }: BlockQuestionProps) {
  const client = useQueryClient()
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const { username } = person

  function close() {
    setState('idle')
    onClose()
  }

  async function block() {
    setState('busy')
    try {
      await setBlocked(client, person, true)
    } catch {
      return setState('failed')
    }
    close()
    onBlocked()
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={`Block ${username}?`}
      actions={
        <>
          <Button data-autofocus disabled={state === 'busy'} onClick={close}>
            Cancel
          </Button>
          <Button tone="danger" busy={state === 'busy'} onClick={() => void block()}>
            Block
          </Button>
        </>
      }
    >
      <div className="measure flex flex-col gap-3 text-14 text-ink">
        <p>You and {username} will be out of each other’s sight:</p>
        <ul className="flex list-disc flex-col gap-1.5 pl-5">
          <li>Neither of you follows the other any more, nor can.</li>
          <li>What one of you keeps or says, the other does not see, answer or hear of.</li>
          <li>They find no page of yours while they are signed in.</li>
        </ul>
        <p className="text-quiet">
          They are not told. What is public can still be seen signed out. You can undo it in Settings; follows
          do not come back by themselves.
        </p>
        {state === 'failed' && (
          <Notice tone="danger" urgent>
            <p>Failed to block {username}. Please try again.</p>
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
