import { Dialog } from '../../../ui/dialog.tsx'
import { SaveSheetForm } from './save-sheet-form.tsx'

interface SaveSheetProps {
  open: boolean
  /** What to save; null: the user enters it, or continues with the draft. */
  link: string | null
  onClose: () => void
  /** Opens the page to add a bookmark by hand. */
  onManual: () => void
}

/** Saves a link from any page: paste, choose, Enter (docs/decisions/0085-one-field-and-the-save-sheet.md). */
export function SaveSheet({ open, onClose, ...rest }: SaveSheetProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Add Bookmark" canDiscard>
      <SaveSheetForm onClose={onClose} {...rest} />
    </Dialog>
  )
}
