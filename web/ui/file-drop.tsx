import FileUp from 'lucide-react/icons/file-up'
import { type DragEvent, type Ref, useState } from 'react'
import { Spinner } from './button.tsx'

interface FileDropProps {
  /** Text for choosing a file, also the accessible name of the input. */
  label: string
  /** Text for dropping a file, for example 'or drop it here'. */
  text: string
  accept: string
  busy: boolean
  onFile: (file: File) => void
  /** Of the field, which can receive the focus. */
  ref?: Ref<HTMLInputElement>
}

/** An area to choose or drop one file. */
export function FileDrop({ label, text, accept, busy, onFile, ref }: FileDropProps) {
  const [isDraggedOver, setDraggedOver] = useState(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    setDraggedOver(false)
    const file = event.dataTransfer.files[0]
    if (file !== undefined && !busy) onFile(file)
  }

  return (
    <label
      className={`relative flex min-h-32 cursor-pointer flex-col items-center justify-center gap-1 rounded-card border border-dashed px-4 py-6 text-center transition-colors hover:border-quiet hover:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus ${isDraggedOver ? 'border-accent-ink bg-raised' : 'border-line-strong'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setDraggedOver(true)
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      <input
        ref={ref}
        type="file"
        accept={accept}
        disabled={busy}
        className="absolute inset-0 cursor-pointer opacity-0 file:cursor-pointer"
        onChange={(event) => {
          const file = event.target.files?.[0]
          // Reset, so that choosing the same file again fires a change event.
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
