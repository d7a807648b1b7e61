import { deleteNote, type TimedNote } from '@reelmark/contract/timed-notes.ts'
import Lock from 'lucide-react/icons/lock'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { type ReactNode, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { focusBeyond } from '../../../ui/focus-beyond.ts'
import { LinkedText } from '../../../ui/linked-text.tsx'
import { noteClass } from './note-list.tsx'
import { useFocusOnClose } from './use-focus-on-close.ts'

export type ShownNote = Omit<TimedNote, 'access'> & {
  /** Undefined for the notes of others, which are public. */
  access?: TimedNote['access']
}

interface NoteRowProps {
  note: ShownNote
  /** The form that replaces the note while it is edited. */
  form: ReactNode | null
  onEdit: () => void
  onDeleted: () => void
}

/** A note, for its author with buttons to edit and delete it. */
export function NoteRow({ note, form, onEdit, onDeleted }: NoteRowProps) {
  const [isDeleting, setDeleting] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const editButton = useFocusOnClose(form !== null)
  const time = clockDuration(note.seconds)
  return (
    <li ref={row}>
      {form ?? (
        <div className="flex items-start gap-1">
          <p className={`min-w-0 flex-1 ${noteClass}`}>
            <LinkedText text={`${time} ${note.text}`} />
            {note.access === 'private' && (
              <span className="ml-1.5 inline-flex items-center gap-1 text-13 text-quiet">
                <Lock className="size-3.5" />
                Only you
              </span>
            )}
          </p>
          {note.access !== undefined && (
            <span className="-my-2 flex shrink-0">
              <IconButton ref={editButton} size="sm" label={`Edit note at ${time}`} onClick={onEdit}>
                <Pencil className="size-4" />
              </IconButton>
              <IconButton
                size="sm"
                label={`Delete note at ${time}`}
                aria-haspopup="dialog"
                onClick={() => setDeleting(true)}
              >
                <Trash2 className="size-4" />
              </IconButton>
            </span>
          )}
        </div>
      )}
      {note.access !== undefined && (
        <ConfirmRemovalDialog
          open={isDeleting}
          title="Delete note"
          action="Delete"
          call={() => deleteOnce(note.id)}
          onClose={() => setDeleting(false)}
          onDone={() => {
            focusBeyond(row.current)
            onDeleted()
          }}
        >
          Are you sure you want to delete your note at {time}?
        </ConfirmRemovalDialog>
      )}
    </li>
  )
}

/** Deletes a note that another tab may have deleted. */
async function deleteOnce(id: number): Promise<void> {
  try {
    await api(deleteNote, { params: { id } })
  } catch (error) {
    if (!isApiError(error, 'not-found')) throw error
  }
}
