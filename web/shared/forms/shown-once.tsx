import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAutofocus } from '../hooks/use-autofocus.ts'

interface ShownOnceProps {
  /** What the secret belongs to. */
  name: string
  secret: string
  copyLabel: string
  onClose: () => void
  /** A warning. */
  children: ReactNode
}

/** The content of a dialog that shows a new secret, such as a token, for the only time. */
export function ShownOnce({ name, secret, copyLabel, onClose, children }: ShownOnceProps) {
  const first = useAutofocus()
  return (
    <div className="flex flex-col gap-5 pt-1">
      <div ref={first} tabIndex={-1} className="flex flex-col gap-2">
        <p className="text-14 font-medium wrap-anywhere text-ink">{name}</p>
        <p className="rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-14 wrap-anywhere">
          {secret}
        </p>
      </div>
      <Notice tone="info">
        <p className="text-quiet">{children}</p>
      </Notice>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={secret} label={copyLabel} tone="accent" />
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  )
}
