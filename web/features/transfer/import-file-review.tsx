import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { useAutofocus } from '../../shared/hooks/use-autofocus.ts'
import { Button } from '../../ui/button.tsx'
import { formatDate } from '../../ui/format-date.ts'
import { transferFileContents } from './import-file.ts'

interface ImportFileReviewProps {
  name: string
  file: TransferFile
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Shows the owner and contents of a file before it is sent. */
export function ImportFileReview({ name, file, busy, onConfirm, onCancel }: ImportFileReviewProps) {
  const card = useAutofocus()
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={`Contents of ${name}`}
      className="flex flex-col gap-5 rounded-card border border-line bg-raised p-4 sm:p-5"
    >
      <div>
        <p className="text-14 font-medium wrap-anywhere text-ink">{name}</p>
        <p className="mt-0.5 text-13 text-quiet">
          From {file.username}, created on {formatDate(file.exported_at)}
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 xs:grid-cols-3 sm:grid-cols-5">
        {transferFileContents(file).map(({ label, count }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-13 text-quiet">{label}</dt>
            <dd className="text-20 font-semibold tabular-nums">{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
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
