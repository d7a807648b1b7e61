import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { deleteNote, type TimedNote } from '@reelmark/contract/timed-notes.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Lock from 'lucide-react/icons/lock'
import NotebookPen from 'lucide-react/icons/notebook-pen'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { Button, IconButton, wrappingClass } from '../../../ui/button.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { focusBeyond } from '../../../ui/focus-beyond.ts'
import { LinkedText } from '../../../ui/linked-text.tsx'
import { toast } from '../../../ui/toast.tsx'
import { bookmarkQuery } from '../../bookmarks/public-api.ts'
import { NoteForm } from './note-form.tsx'
import { noteClass, noteListClass } from './note-list.tsx'
import { ownNotesQuery } from './queries.ts'

/** The notes that a signed-in viewer sees, with a form for their own. */
export function NoteEditor({ bookmark }: { bookmark: Bookmark }) {
  const client = useQueryClient()
  const { data: own } = useQuery(ownNotesQuery(bookmark.id))
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const notes = mergeNotes(bookmark, own)

  /** Applies a change to the viewer's notes, also to the public ones in their bookmark. */
  async function store(change: (notes: TimedNote[]) => TimedNote[]): Promise<void> {
    const { queryKey } = ownNotesQuery(bookmark.id)
    // A request that started before the change would restore the old notes.
    await client.cancelQueries({ queryKey })
    const changed = change(client.getQueryData(queryKey) ?? [])
    client.setQueryData(queryKey, changed)
    setEdited(null)
    if (!bookmark.is_owner) return
    client.setQueryData(bookmarkQuery(bookmark.id).queryKey, (cached) =>
      cached === undefined
        ? cached
        : { ...cached, notes: changed.filter(({ access }) => access === 'public') },
    )
  }
  const saved = (saved: TimedNote) =>
    store((notes) =>
      [...notes.filter(({ id }) => id !== saved.id), saved].sort((a, b) => a.seconds - b.seconds),
    )

  async function remove(id: number, row: Element | null): Promise<void> {
    try {
      await api(deleteNote, { params: { id } })
      focusBeyond(row)
      await store((notes) => notes.filter((note) => note.id !== id))
    } catch {
      toast("Couldn't delete the note. Try again.", { tone: 'danger' })
    }
  }

  return (
    <section aria-label="Notes" className="flex flex-col items-start gap-3">
      {notes.length > 0 && (
        <ul className={`w-full ${noteListClass}`}>
          {notes.map((note) => (
            <li key={note.id}>
              {edited === note.id && note.access !== undefined ? (
                <NoteForm
                  bookmark={bookmark}
                  note={{ ...note, access: note.access }}
                  onSaved={saved}
                  onCancel={() => setEdited(null)}
                />
              ) : (
                <div className="flex items-start gap-1">
                  <p className={`min-w-0 flex-1 ${noteClass}`}>
                    <LinkedText text={`${clockDuration(note.seconds)} ${note.text}`} />
                    {note.access === 'private' && (
                      <span className="ml-1.5 inline-flex items-center gap-1 text-13 text-quiet">
                        <Lock className="size-3.5" />
                        Only you
                      </span>
                    )}
                  </p>
                  {note.access !== undefined && (
                    <span className="-my-2 flex shrink-0">
                      <IconButton
                        size="sm"
                        label={`Edit note at ${clockDuration(note.seconds)}`}
                        onClick={() => setEdited(note.id)}
                      >
                        <Pencil className="size-4" />
                      </IconButton>
                      <IconButton
                        size="sm"
                        label={`Delete note at ${clockDuration(note.seconds)}`}
                        onClick={({ currentTarget }) => void remove(note.id, currentTarget.closest('li'))}
                      >
                        <Trash2 className="size-4" />
                      </IconButton>
                    </span>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {edited === 'new' ? (
        <NoteForm bookmark={bookmark} onSaved={saved} onCancel={() => setEdited(null)} />
      ) : (
        <Button
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

type ShownNote = Omit<TimedNote, 'access'> & {
  /** Undefined for the notes of others, which are public. */
  access?: TimedNote['access']
}

/** Returns the public notes and the viewer's own in the order of the video, each once. */
function mergeNotes({ notes, is_owner }: Bookmark, own: TimedNote[] | undefined): ShownNote[] {
  if (own === undefined) return notes
  return [...(is_owner ? [] : notes), ...own].sort((a, b) => a.seconds - b.seconds || a.id - b.id)
}
