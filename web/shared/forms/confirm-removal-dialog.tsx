import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useApiMutation } from '../api/use-api-mutation.ts'

interface ConfirmRemovalDialogProps {
  open: boolean
  title: string
  /** The text of the button that confirms. */
  action: string
  call: () => Promise<unknown>
  onClose: () => void
  /** Called after the dialog is closed. Moves the focus if the button that opened it is gone. */
  onDone: () => void
  /** The consequences. */
  children: ReactNode
}

/** Asks for confirmation before something is deleted permanently, and deletes it. */
export function ConfirmRemovalDialog({
  open,
  title,
  action,
  call,
  onClose,
  onDone,
  children,
}: ConfirmRemovalDialogProps) {
  const removal = useApiMutation(call, {
    onSuccess() {
      // The dialog returns the focus when it closes. Only then can `onDone` move it.
      flushSync(onClose)
      onDone()
    },
  })
  const close = () => {
    removal.reset()
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} title={title}>
      <div className="flex flex-col gap-5 pt-1">
        <p className="text-14 text-ink">{children}</p>
        <ErrorNotice text={removal.errorText} />
        <DialogFooter>
          <Button data-autofocus disabled={removal.busy} onClick={close}>
            Cancel
          </Button>
          <Button tone="danger" busy={removal.busy} onClick={() => void removal.run()}>
            {action}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
