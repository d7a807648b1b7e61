import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { TimedNote } from '@reelmark/contract/timed-notes.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import NotebookPen from 'lucide-react/icons/notebook-pen'
import { useState } from 'react'
import { Button, wrappingClass } from '../../../ui/button.tsx'
import { bookmarkQuery } from '../../bookmarks/public-api.ts'
import { NoteForm } from './note-form.tsx'
import { noteListClass } from './note-list.tsx'
import { NoteRow, type ShownNote } from './note-row.tsx'
import { ownNotesQuery } from './queries.ts'
import { useFocusOnClose } from './use-focus-on-close.ts'

/** The notes that a signed-in viewer sees, with a form for their own. */
export function NoteEditor({ bookmark }: { bookmark: Bookmark }) {
  const client = useQueryClient()
  const { data: own } = useQuery(ownNotesQuery(bookmark.id))
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const addButton = useFocusOnClose(edited === 'new')
  const notes = mergeNotes(bookmark, own)

  /** Applies a change to the viewer's notes, also to the public ones in their bookmark. */
  async function store(change: (notes: TimedNote[]) => TimedNote[]): Promise<void> {
    const { queryKey } = ownNotesQuery(bookmark.id)
    // A request that started before the change would restore the old notes.
    await client.cancelQueries({ queryKey })
    const changed = change(client.getQueryData(queryKey) ?? [])
    client.setQueryData(queryKey, changed)
    if (!bookmark.is_owner) return
    client.setQueryData(bookmarkQuery(bookmark.id).queryKey, (cached) =>
      cached === undefined
        ? cached
        : { ...cached, notes: changed.filter(({ access }) => access === 'public') },
    )
  }
  /** Closes a form, unless another one was opened meanwhile. */
  const close = (form: number | 'new') => setEdited((current) => (current === form ? null : current))
  const saved = (saved: TimedNote) =>
    store((notes) =>
      [...notes.filter(({ id }) => id !== saved.id), saved].sort((a, b) => a.seconds - b.seconds),
    )
  const renderForm = (note?: TimedNote) => {
    const form = note?.id ?? 'new'
    return (
      <NoteForm
        // A draft belongs to its bookmark and note.
        key={`${bookmark.id} ${form}`}
        bookmark={bookmark}
        note={note}
        onSaved={async (note) => {
          await saved(note)
          close(form)
        }}
        onClose={() => close(form)}
      />
    )
  }

  return (
    <section aria-label="Notes" className="flex flex-col items-start gap-3">
      {notes.length > 0 && (
        <ul className={`w-full ${noteListClass}`}>
          {notes.map((note) => (
            <NoteRow
              key={note.id}
              note={note}
              form={
                edited === note.id && note.access !== undefined
                  ? renderForm({ ...note, access: note.access })
                  : null
              }
              onEdit={() => setEdited(note.id)}
              onDeleted={() => void store((notes) => notes.filter(({ id }) => id !== note.id))}
            />
          ))}
        </ul>
      )}
      {edited === 'new' ? (
        renderForm()
      ) : (
        <Button
          ref={addButton}
          size="sm"
          className={`${wrappingClass} min-h-9 pointer-coarse:min-h-11`}
          onClick={() => setEdited('new')}
        >
          <NotebookPen className="size-4" />
          Add a note at a time
        </Button>
      )}
    </section>
  )
}

/** Returns the public notes and the viewer's own in the order of the video, each once. */
function mergeNotes({ notes, is_owner }: Bookmark, own: TimedNote[] | undefined): ShownNote[] {
  if (own === undefined) return notes
  return [...(is_owner ? [] : notes), ...own].sort((a, b) => a.seconds - b.seconds || a.id - b.id)
}
