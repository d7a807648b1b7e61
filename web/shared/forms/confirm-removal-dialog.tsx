import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useSubmit } from './use-submit.ts'

interface ConfirmRemovalDialogProps {
  open: boolean
  title: string
  /** What the button that does it says. */
  action: string
  call: () => Promise<unknown>
  onClose: () => void
  onDone: () => void
  /** What follows from it. */
  children: ReactNode
}

/** Asks before something is gone that cannot be brought back, and does it. */
export function ConfirmRemovalDialog({
  open,
  title,
  action,
  call,
  onClose,
  onDone,
  children,
}: ConfirmRemovalDialogProps) {
  const { busy, problem, run, forget } = useSubmit()
  const close = () => {
    forget()
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} title={title}>
      <div className="flex flex-col gap-5 pt-1">
        <p className="text-14 text-ink">{children}</p>
        {problem !== null && (
          <Notice tone="danger" urgent>
            <p>{problem}</p>
          </Notice>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button data-autofocus disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button
            tone="danger"
            busy={busy}
            onClick={async () => {
              if ((await run(call)) === null) return
              onClose()
              onDone()
            }}
          >
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
