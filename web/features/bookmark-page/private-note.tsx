import Lock from 'lucide-react/icons/lock'
import { LinkedText } from '../../ui/linked-text.tsx'

/** The private note of a bookmark. */
export function PrivateNote({ text }: { text: string }) {
  return (
    <section
      aria-label="Private note"
      className="measure rounded-card border border-dashed border-line px-4 py-3 text-14"
    >
      <p className="mb-1 flex items-center gap-1.5 text-13 text-quiet">
        <Lock className="size-4" />
        Private note. Only you can read it.
      </p>
      <p className="whitespace-pre-line text-ink wrap-anywhere">
        <LinkedText text={text} />
      </p>
    </section>
  )
}
