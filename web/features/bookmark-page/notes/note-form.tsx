import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createNote, type TimedNote, updateNote } from '@reelmark/contract/timed-notes.ts'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { parseDuration } from '../../bookmarks/public-api.ts'
import { currentTime } from '../../videos/public-api.ts'

interface NoteFormProps {
  bookmark: Bookmark
  /** The note that is changed; without it, one is added. */
  note?: TimedNote | undefined
  onSaved: (note: TimedNote) => void
  onClose: () => void
}

interface NoteDraft {
  time: string
  text: string
  access: TimedNote['access']
}

/** A form for a note. A new one has the time of the player. The input is stored as a draft until it is saved or cancelled. */
export function NoteForm({ bookmark, note, onSaved, onClose }: NoteFormProps) {
  const [initial] = useState<NoteDraft>(() => ({
    time: clockDuration(note?.seconds ?? currentTime(bookmark.id) ?? bookmark.start_seconds ?? 0),
    text: note?.text ?? '',
    access: note?.access ?? 'private',
  }))
  const draftName = note === undefined ? `note-on-${bookmark.id}` : `note-${note.id}`
  const [{ time, text, access }, update, clear, discard] = useDraft(draftName, initial)
  const change = (changes: Partial<NoteDraft>) => update((before) => ({ ...before, ...changes }))
  const seconds = parseDuration(time) ?? null
  const field = useAutofocus<HTMLTextAreaElement>()
  const { busy, errorText, run } = useApiMutation(
    (body: { seconds: number; text: string; access: TimedNote['access'] }, options) =>
      note === undefined
        ? api(createNote, { params: { id: bookmark.id }, body }, options)
        : api(updateNote, { params: { id: note.id }, body }, options),
    {
      onSuccess(saved) {
        discard()
        onSaved(saved)
      },
      errorText: (error) => errorMessage(error, "Couldn't save the note. Try again."),
    },
  )
  const content = text.trim()
  const isReady = seconds !== null && content !== '' && [...content].length <= limits.timedNoteMax
  return (
    <form
      aria-label={note === undefined ? 'New note' : 'Edit note'}
      className="flex w-full flex-col gap-3 rounded-card border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !busy) void run({ seconds, text: content, access })
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Without a text, the next note begins at the time of the player again.
        if (content === '') clear()
        onClose()
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label="Time" error={seconds === null ? 'Enter a time such as 12:30.' : null}>
          <Input
            value={time}
            inputMode="numeric"
            readOnly={busy}
            onChange={(event) => change({ time: event.target.value })}
          />
        </Field>
        {bookmark.is_owner && (
          <Field label="Who can read it">
            <Select
              value={access}
              onChange={(event) => change({ access: event.target.value === 'public' ? 'public' : 'private' })}
            >
              <option value="private">Only you</option>
              <option value="public">Everyone</option>
            </Select>
          </Field>
        )}
      </div>
      <Field label="Note" hint={bookmark.is_owner ? undefined : 'Only you can read your note.'}>
        <Textarea
          ref={field}
          rows={2}
          dir="auto"
          readOnly={busy}
          value={text}
          onChange={(event) => change({ text: event.target.value })}
        />
      </Field>
      <ErrorNotice text={errorText} />
      <div className="flex flex-wrap items-center gap-2">
        <CharacterCount text={text} max={limits.timedNoteMax} className="mr-auto" />
        <Button
          tone="quiet"
          onClick={() => {
            clear()
            onClose()
          }}
        >
          Cancel
        </Button>
        <Button tone="accent" type="submit" disabled={!isReady} busy={busy}>
          Save note
        </Button>
      </div>
    </form>
  )
}
