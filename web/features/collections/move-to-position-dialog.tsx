import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type FormEvent, useState } from 'react'
import { useAutofocus } from '../../shared/hooks/use-autofocus.ts'
import { Dialog, DialogFormFooter } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import type { Container } from './container.ts'
import { useMoveBookmark } from './use-move-bookmark.ts'

interface MoveToPositionProps {
  container: Pick<Container, 'kind' | 'id' | 'bookmarksCount'>
  bookmark: { id: number; title: string }
  onClose: () => void
  onMoved?: () => void
}

/** Asks for the position in a list to which a bookmark is moved. */
export function MoveToPositionDialog({ open, ...props }: MoveToPositionProps & { open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={props.onClose}
      title="Move to position"
      description={props.bookmark.title}
      canDiscard
    >
      <PositionForm {...props} />
    </Dialog>
  )
}

/** The form of the dialog, which focuses its field. */
export function PositionForm({ container, bookmark, onClose, onMoved }: MoveToPositionProps) {
  const move = useMoveBookmark(container)
  const field = useAutofocus<HTMLInputElement>()
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const last = Math.min(container.bookmarksCount, limits.reorderPositionMax)
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const position = Number(text)
    if (!/^\s*\d+\s*$/.test(text) || position < 1 || position > last) {
      setError(`Enter a number from 1 to ${last.toLocaleString('en')}.`)
      return
    }
    setError(null)
    setBusy(true)
    const isMoved = await move(bookmark, { position })
    setBusy(false)
    if (!isMoved) return
    onMoved?.()
    onClose()
  }
  return (
    <form noValidate className="flex flex-col gap-5 pt-1" onSubmit={(event) => void submit(event)}>
      <Field
        label="Position"
        hint={`1 is the top, ${last.toLocaleString('en')} the end.`}
        error={error}
        required
      >
        <Input
          ref={field}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <DialogFormFooter submit="Move" busy={busy} busyText="Moving..." onCancel={onClose} />
    </form>
  )
}
