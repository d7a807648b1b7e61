import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { MoveForm } from './move-form.tsx'
import { PartialFailureDialog } from './partial-failure-dialog.tsx'
import type { SelectedItems } from './selection.ts'
import { type PartialFailure, useBulkChange } from './use-bulk-change.ts'

/** The dialog to move bookmarks of a list without selecting them. */
export function MoveDialog({
  bookmarks,
  open,
  onMoved = () => {},
  onClose,
}: {
  bookmarks: SelectedItems
  open: boolean
  onMoved?: () => void
  onClose: () => void
}) {
  const [partialFailure, setPartialFailure] = useState<PartialFailure | null>(null)
  const bulk = useBulkChange({ onPartialFailure: setPartialFailure })
  const [only] = bookmarks.values()
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={`Move ${pluralise(bookmarks.size, 'bookmark')}`}
        description={bookmarks.size === 1 ? only : undefined}
      >
        <MoveForm
          count={bookmarks.size}
          busy={bulk.busy}
          problem={bulk.problem}
          onClose={onClose}
          onSubmit={(change, successText) =>
            void bulk.run(change, bookmarks, successText).then((moved) => {
              if (moved === null) return
              onClose()
              onMoved()
            })
          }
        />
      </Dialog>
      <PartialFailureDialog failure={partialFailure} onClose={() => setPartialFailure(null)} />
    </>
  )
}
