import { deleteComment, deleteReply } from '@reelmark/contract/comments.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { api } from '../../shared/api/api.ts'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'

interface DeleteCommentDialogProps {
  id: number
  kind: 'comment' | 'reply'
  onClose: () => void
  onDeleted: () => void
}

/** Deletes a comment or reply after asking. */
export function DeleteCommentDialog({ id, kind, onClose, onDeleted }: DeleteCommentDialogProps) {
  const { busy, errorText, run } = useApiMutation(
    async () => {
      try {
        await api(kind === 'comment' ? deleteComment : deleteReply, { params: { id } })
      } catch (error) {
        // Already deleted: in another tab, or together with its comment.
        if (!isCallError(error) || error.status !== 404) throw error
      }
    },
    {
      onSuccess() {
        onClose()
        onDeleted()
      },
      errorText: () => `Failed to delete ${kind}. Please try again.`,
    },
  )

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete ${kind}`}
      actions={
        <>
          <Button data-autofocus disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger" busy={busy} onClick={() => void run()}>
            Delete
          </Button>
        </>
      }
    >
      <p className="text-14 text-ink">Are you sure you want to delete this {kind}?</p>
      <ErrorNotice text={errorText} className="mt-4" />
    </Dialog>
  )
}
