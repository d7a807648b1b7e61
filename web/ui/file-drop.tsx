import FileUp from 'lucide-react/icons/file-up'
import { type DragEvent, useState } from 'react'
import { Spinner } from './button.tsx'

interface FileDropProps {
  /** The way with keyboard and mouse; also the input's name. */
  label: string
  /** The other way: 'or drop it here'. */
  text: string
  accept: string
  busy: boolean
  onFile: (file: File) => void
}

/** A place to choose one file, or to drop it. */
export function FileDrop({ label, text, accept, busy, onFile }: FileDropProps) {
  const [over, setOver] = useState(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file !== undefined && !busy) onFile(file)
  }

  return (
    <label
      className={`relative flex min-h-32 cursor-pointer flex-col items-center justify-center gap-1 rounded-card border border-dashed px-4 py-6 text-center transition-colors hover:border-quiet hover:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus ${over ? 'border-accent-ink bg-raised' : 'border-line-strong'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        type="file"
        accept={accept}
        disabled={busy}
        className="absolute inset-0 cursor-pointer opacity-0 file:cursor-pointer"
        onChange={(event) => {
          const file = event.target.files?.[0]
          // The same file can be chosen once more, after it was mended.
          event.target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <span aria-hidden="true" className="mb-1 text-quiet">
        {busy ? <Spinner /> : <FileUp className="size-6" />}
      </span>
      <span className="text-14 font-medium text-ink">{busy ? 'Reading...' : label}</span>
      <span className="text-13 text-quiet">{text}</span>
    </label>
  )
}
