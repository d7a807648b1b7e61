import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createNote, type TimedNote, updateNote } from '@reelmark/contract/timed-notes.ts'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button } from '../../../ui/button.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { parseDuration } from '../../bookmarks/public-api.ts'
import { currentTime } from '../../videos/public-api.ts'

interface NoteFormProps {
  bookmark: Bookmark
  /** The note that is changed; without it, one is added. */
  note?: TimedNote
  onSaved: (note: TimedNote) => void
  onCancel: () => void
}

/** A form for a note. A new one has the time of the player. */
export function NoteForm({ bookmark, note, onSaved, onCancel }: NoteFormProps) {
  const [time, setTime] = useState(() =>
    clockDuration(note?.seconds ?? currentTime(bookmark.id) ?? bookmark.start_seconds ?? 0),
  )
  const [text, setText] = useState(note?.text ?? '')
  const [access, setAccess] = useState<TimedNote['access']>(note?.access ?? 'private')
  const seconds = parseDuration(time) ?? null
  const field = useAutofocus<HTMLTextAreaElement>()
  const { busy, errorText, run } = useApiMutation(
    (body: { seconds: number; text: string; access: TimedNote['access'] }, options) =>
      note === undefined
        ? api(createNote, { params: { id: bookmark.id }, body }, options)
        : api(updateNote, { params: { id: note.id }, body }, options),
    {
      onSuccess: onSaved,
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
        if (event.key === 'Escape') onCancel()
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label="Time" error={seconds === null ? 'Enter a time such as 12:30.' : null}>
          <Input value={time} inputMode="numeric" onChange={(event) => setTime(event.target.value)} />
        </Field>
        {bookmark.is_owner && (
          <Field label="Who can read it">
            <Select
              value={access}
              onChange={(event) => setAccess(event.target.value === 'public' ? 'public' : 'private')}
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
          maxLength={limits.timedNoteMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <ErrorNotice text={errorText} />
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button tone="accent" type="submit" disabled={!isReady} busy={busy}>
          Save note
        </Button>
      </div>
    </form>
  )
}
