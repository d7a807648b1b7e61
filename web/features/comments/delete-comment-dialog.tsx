import { deleteComment, deleteReply } from '@reelmark/contract/comments.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

interface DeleteCommentDialogProps {
  id: number
  kind: 'comment' | 'reply'
  onClose: () => void
  onDeleted: () => void
}

/** Asks before what one said is gone for good, and deletes it. */
export function DeleteCommentDialog({ id, kind, onClose, onDeleted }: DeleteCommentDialogProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')

  async function remove() {
    setState('busy')
    try {
      await api(kind === 'comment' ? deleteComment : deleteReply, { params: { id } })
    } catch (error) {
      // Gone is what was wanted: from another tab, or with its comment.
      if (!isCallError(error) || error.status !== 404) return setState('failed')
    }
    onClose()
    onDeleted()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete ${kind}`}
      actions={
        <>
          <Button data-autofocus disabled={state === 'busy'} onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger" busy={state === 'busy'} onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      <p className="text-14 text-ink">Are you sure you want to delete this {kind}?</p>
      {state === 'failed' && (
        <Notice tone="danger" urgent className="mt-4">
          <p>Failed to delete {kind}. Please try again.</p>
        </Notice>
      )}
    </Dialog>
  )
}
