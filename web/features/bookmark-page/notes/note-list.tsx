import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useSession } from '../../../shared/session/session.ts'
import { clockDuration } from '../../../ui/duration.ts'
import { LinkedText } from '../../../ui/linked-text.tsx'
import { useDeferredComponent } from '../../../ui/use-deferred-component.ts'

const loadNoteEditor = () => import('./note-editor.tsx').then((module) => module.NoteEditor)

/**
 * The owner's public notes; signed-in viewers also see and write their own. Times become buttons as in other texts
 * (time-controls.tsx).
 */
export function NoteList({ bookmark }: { bookmark: Bookmark }) {
  const NoteEditor = useDeferredComponent(useSession().status === 'signed-in', loadNoteEditor)
  if (NoteEditor !== null) return <NoteEditor bookmark={bookmark} />
  if (bookmark.notes.length === 0) return null
  return (
    <section aria-label="Notes">
      <ul className={noteListClass}>
        {bookmark.notes.map(({ id, seconds, text }) => (
          <li key={id} className={noteClass}>
            <LinkedText text={`${clockDuration(seconds)} ${text}`} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export const noteListClass = 'measure flex flex-col gap-2 text-14'
export const noteClass = 'whitespace-pre-line text-ink wrap-anywhere'
