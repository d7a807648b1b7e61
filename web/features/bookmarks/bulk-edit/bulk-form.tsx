import type { FormEvent, ReactNode } from 'react'
import { DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import type { BulkChange } from './use-bulk-change.ts'

export interface BulkFormProps {
  busy: boolean
  problem: string | null
  /** Applies the change. The dialog closes if it succeeded. */
  onSubmit: (change: BulkChange, successText: (bookmarks: string) => string) => void
  onClose: () => void
}

/** The form of a dialog that changes many bookmarks. */
export function BulkForm({
  busy,
  problem,
  action,
  onSubmit,
  onClose,
  children,
}: Omit<BulkFormProps, 'onSubmit'> & { action: string; onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <ErrorNotice text={problem} />
      {children}
      <DialogFormFooter submit={action} busy={busy} onCancel={onClose} />
    </form>
  )
}
