import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CodeBox } from '../../ui/code-box.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAutofocus } from '../hooks/use-autofocus.ts'

/** A secret that was just created, with the name of what it belongs to. */
export interface NewSecret {
  name: string
  secret: string
}

interface SecretDialogProps {
  open: boolean
  onClose: () => void
  /** The title of the form. */
  title: string
  /** The title once the secret is shown. */
  secretTitle: string
  copyLabel: string
  warning: string
  /** Returns the form. It calls `onCreated` with the secret. */
  children: (form: { onCancel: () => void; onCreated: (created: NewSecret) => void }) => ReactNode
}

/** A dialog with a form that creates something with a secret, such as a token, and then shows the secret once. */
export function SecretDialog(props: SecretDialogProps) {
  const { open, onClose, title, secretTitle, copyLabel, warning, children } = props
  const [created, setCreated] = useState<NewSecret | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={created === null ? title : secretTitle}
      description={created === null ? undefined : "You won't see it again."}
    >
      {created === null ? (
        children({ onCancel: close, onCreated: setCreated })
      ) : (
        <Secret {...created} copyLabel={copyLabel} warning={warning} onClose={close} />
      )}
    </Dialog>
  )
}

interface SecretProps extends NewSecret {
  copyLabel: string
  warning: string
  onClose: () => void
}

function Secret({ name, secret, copyLabel, warning, onClose }: SecretProps) {
  const first = useAutofocus()
  return (
    <div className="flex flex-col gap-5 pt-1">
      <div ref={first} tabIndex={-1} className="flex flex-col gap-2">
        <p className="text-14 font-medium wrap-anywhere text-ink">{name}</p>
        <CodeBox>{secret}</CodeBox>
      </div>
      <Notice tone="info">
        <p className="text-quiet">{warning}</p>
      </Notice>
      <DialogFooter>
        <CopyButton text={secret} label={copyLabel} tone="accent" />
        <Button onClick={onClose}>Done</Button>
      </DialogFooter>
    </div>
  )
}
