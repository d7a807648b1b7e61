import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button, IconButton } from './button.tsx'

interface DialogProps {
  open: boolean
  /** Asked for by Escape, the cross, or a press outside before anything was written; it stays while `open` does. */
  onClose: () => void
  title: string
  /** Said below the title. */
  description?: ReactNode
  /** `side`: slides in from the right, at every width. On phones the others are sheets from below. */
  kind?: 'normal' | 'wide' | 'side'
  /** The row of buttons at the end. */
  actions?: ReactNode
  children: ReactNode
}

/**
 * The browser's own modal dialog: it traps focus, closes on Escape and gives focus back. Its content is there only
 * while it is open, so that what it holds starts afresh each time and can be loaded lazily. The keyboard starts at
 * what carries `data-autofocus`, else at the cross.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  kind = 'normal',
  actions,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpenRequested = useRef(open)
  const typed = useRef(false)
  const pressedOutside = useRef(false)
  const id = useId()

  useEffect(() => {
    const element = dialog.current
    isOpenRequested.current = open
    if (element === null) return
    if (open && !element.open) {
      typed.current = false
      element.showModal()
      element.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    }
    if (!open && element.open) element.close()
  }, [open])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the press outside is an extra; Escape is the keyboard's way.
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      className={`dialog ${kind === 'normal' ? '' : kind}`}
      onCancel={(event) => {
        // Whoever opened it decides; one that holds what is shown once may ask back. A file input's cancel is its own.
        if (event.target !== dialog.current) return
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // Browsers let a second Escape close it whatever the first one was answered.
        if (!isOpenRequested.current) return
        onClose()
        setTimeout(() => {
          const element = dialog.current
          if (isOpenRequested.current && element?.isConnected && !element.open) element.showModal()
        })
      }}
      onInput={() => {
        typed.current = true
      }}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        // Not where a selection ends that began inside; nor once something was written, which a slip must not lose.
        if (event.target === dialog.current && pressedOutside.current && !typed.current) onClose()
      }}
    >
      {open && (
        <div className="flex max-h-full min-h-0 flex-1 flex-col">
          <div className="flex items-start gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1 pt-1.5">
              <h2 id={`${id}-title`} className="text-20 font-semibold">
                {title}
              </h2>
              {description !== undefined && (
                <p id={`${id}-description`} className="mt-1 text-14 text-quiet">
                  {description}
                </p>
              )}
            </div>
            <IconButton label="Close" onClick={onClose} className="-mr-2">
              <X className="size-5" />
            </IconButton>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto scroll-pb-20 px-5 pb-5">{children}</div>
          {actions !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4">{actions}</div>
          )}
        </div>
      )}
    </dialog>
  )
}

/** The buttons at the end of a form in a dialog: in sight however long the form is. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 py-4">
      {children}
    </div>
  )
}

interface DialogFormFooterProps {
  /** What sending does: the button's word, and what it says meanwhile. */
  submit: ReactNode
  busyText?: string
  busy: boolean
  tone?: 'accent' | 'danger'
  onCancel: () => void
}

/** The same two of every form in a dialog: leave it, or send it. */
export function DialogFormFooter({
  submit,
  busyText,
  busy,
  tone = 'accent',
  onCancel,
}: DialogFormFooterProps) {
  return (
    <DialogFooter>
      <Button disabled={busy} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" tone={tone} busy={busy} busyText={busyText}>
        {submit}
      </Button>
    </DialogFooter>
  )
}
