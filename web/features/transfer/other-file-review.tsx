import { useAutofocus } from '../../shared/hooks/use-autofocus.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format-bytes.ts'

interface OtherFileReviewProps {
  file: File
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Explains what happens to a file of another tool before it is sent. The server recognises what it is. */
export function OtherFileReview({ file, busy, onConfirm, onCancel }: OtherFileReviewProps) {
  const card = useAutofocus()
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={`Import of ${file.name}`}
      className="flex flex-col gap-5 rounded-card border border-line bg-raised p-4 sm:p-5"
    >
      <div>
        <p className="text-14 font-medium wrap-anywhere text-ink">{file.name}</p>
        <p className="mt-0.5 text-13 text-quiet">{formatBytes(file.size)}, from another service</p>
      </div>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-13 text-quiet">
        <li>Folders and playlists become collections, the folders in them channels.</li>
        <li>Tags, notes and dates are imported with the links.</li>
        <li>Everything is private, unless the file marks it as public.</li>
        <li>Watch history and subscriptions are left out.</li>
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button tone="accent" busy={busy} busyText="Sending..." onClick={onConfirm}>
          Import
        </Button>
        <Button tone="quiet" disabled={busy} onClick={onCancel}>
          Choose another file
        </Button>
      </div>
    </section>
  )
}
