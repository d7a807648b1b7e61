import { useQueryClient } from '@tanstack/react-query'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { type BlockableUser, setBlocked } from './block-and-mute-calls.ts'

interface BlockDialogProps {
  user: BlockableUser
  open: boolean
  onClose: () => void
  onBlocked: () => void
}

/** Explains what a block does, asks for confirmation, and blocks. */
export function BlockDialog({ user, open, onClose, onBlocked }: BlockDialogProps) {
  const client = useQueryClient()
  const { username } = user
  const { busy, errorText, run, reset } = useApiMutation(() => setBlocked(client, user, true), {
    onSuccess() {
      close()
      onBlocked()
    },
    errorText: () => `Couldn't block ${username}. Try again.`,
  })

  function close() {
    reset()
    onClose()
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={`Block ${username}?`}
      actions={
        <>
          <Button data-autofocus disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button tone="danger" busy={busy} onClick={() => void run()}>
            Block
          </Button>
        </>
      }
    >
      <div className="measure flex flex-col gap-3 text-14 text-ink">
        <p>If you block {username}:</p>
        <ul className="flex list-disc flex-col gap-1.5 pl-5">
          <li>You'll unfollow each other and can't follow again.</li>
          <li>You won't see each other's bookmarks or comments, or get notified about them.</li>
          <li>They can't view your profile while logged in.</li>
        </ul>
        <p className="text-quiet">
          We won't notify them. Your public content is still visible to logged-out visitors. You can unblock
          them in Settings, but you'll need to follow each other again.
        </p>
        <ErrorNotice text={errorText} />
      </div>
    </Dialog>
  )
}
