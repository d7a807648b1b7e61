import { useRouter } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { useSwipeToClose } from './use-swipe-to-close.ts'
import { useUnsavedInput } from './use-unsaved-input.ts'

interface DialogProps {
  open: boolean
  /**
   * Called on Escape, Close, or, before any input, a click outside and a swipe. The dialog stays open while `open` is true.
   * If a form contains unsaved input, Escape, Close and Back first ask whether to discard it.
   */
  onClose: () => void
  /** Closes without a question, because the input is stored as a draft, or is only a filter or a code. */
  canDiscard?: boolean
  title: string
  /** Shown below the title. */
  description?: ReactNode
  /** `side` slides in from the right at every width. On phones the others are sheets at the lower edge. */
  kind?: 'normal' | 'wide' | 'side'
  /** Buttons at the end of the dialog. */
  actions?: ReactNode
  children: ReactNode
}

/**
 * A native modal dialog: the browser traps and restores focus and closes it on Escape. The content is mounted only while
 * it is open, so that its state starts fresh and it can be loaded lazily. The focus starts at `data-autofocus`, or else
 * at the Close button.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  kind = 'normal',
  canDiscard = false,
  actions,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpenRequested = useRef(open)
  const { hasInput, hasChanges, reset, listeners } = useUnsavedInput(dialog)
  /** Whether the question is open; null before it is first asked. */
  const [isAsking, setAsking] = useState<boolean | null>(null)
  const isPressedOutside = useRef(false)
  const id = useId()

  useEffect(() => {
    const element = dialog.current
    isOpenRequested.current = open
    if (element === null) return
    if (open && !element.open) {
      reset()
      show(element)
    }
    if (!open) {
      setAsking((before) => before && false)
      if (element.open) element.close()
    }
  }, [open, reset])
  useSwipeToClose(dialog, open, () => {
    // As a click outside.
    if (!hasInput.current) onClose()
  })

  /** Returns whether there is something to lose, and asks then. */
  function askToDiscard(): boolean {
    const isRequired = !canDiscard && hasChanges()
    if (isRequired) setAsking(true)
    return isRequired
  }
  const requestClose = () => {
    if (!askToDiscard()) onClose()
  }
  // Null in tests that render a dialog without a page.
  const history = useRouter({ warn: false })?.history
  const latestAsk = useRef(askToDiscard)
  useEffect(() => {
    latestAsk.current = askToDiscard
  })
  useEffect(() => {
    if (!open) return
    const blockerFn = ({ action }: { action: string }) =>
      action !== 'PUSH' && action !== 'REPLACE' && latestAsk.current()
    return history?.block({ blockerFn, enableBeforeUnload: false })
  }, [open, history])

  const content = (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is optional; keyboard users press Escape.
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      className={`dialog ${kind === 'normal' ? '' : kind}`}
      onCancel={(event) => {
        // The owner decides whether it closes. File inputs inside fire their own cancel event, which is ignored.
        if (event.target !== dialog.current) return
        event.preventDefault()
        requestClose()
      }}
      onClose={() => {
        // The event of an earlier closing can arrive after the dialog was opened again.
        if (!isOpenRequested.current || dialog.current?.open === true) return
        // Browsers close the dialog on a second Escape even if the cancel event was prevented; reopen it then.
        if (askToDiscard()) {
          // At once, so that the question opens above it.
          if (dialog.current !== null) show(dialog.current)
          return
        }
        onClose()
        setTimeout(() => {
          const element = dialog.current
          if (isOpenRequested.current && element?.isConnected && !element.open) show(element)
        })
      }}
      {...listeners}
      onPointerDown={(event) => {
        listeners.onPointerDown()
        isPressedOutside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        // Ignores the end of a text selection that began inside, and any click outside once there is input to lose.
        if (event.target === dialog.current && isPressedOutside.current && !hasInput.current) onClose()
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
            <IconButton label="Close" onClick={requestClose} className="-mr-2">
              <X className="size-5" />
            </IconButton>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain scroll-pb-20 px-5 pb-5">
            {children}
          </div>
          {actions !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4">{actions}</div>
          )}
        </div>
      )}
    </dialog>
  )
  return (
    <>
      {content}
      {isAsking !== null && (
        <DiscardQuestion
          open={isAsking}
          onClose={() => setAsking(false)}
          onDiscard={() => {
            setAsking(false)
            onClose()
          }}
        />
      )}
    </>
  )
}

interface DiscardQuestionProps {
  open: boolean
  onClose: () => void
  onDiscard: () => void
}

/** Lies above the dialog. When it closes, the browser moves the focus back to the field. */
function DiscardQuestion({ open, onClose, onDiscard }: DiscardQuestionProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Discard changes?">
      <DialogFooter>
        <Button data-autofocus onClick={onClose}>
          Continue editing
        </Button>
        <Button tone="danger" onClick={onDiscard}>
          Discard
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function show(dialog: HTMLDialogElement): void {
  dialog.showModal()
  dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
}

/** The buttons at the end of a form in a dialog. They stay visible while the form scrolls. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 py-4">
      {children}
    </div>
  )
}

interface DialogFormFooterProps {
  /** Text of the submit button, and its text while busy. */
  submit: ReactNode
  busyText?: string
  busy: boolean
  tone?: 'accent' | 'danger'
  onCancel: () => void
}

/** The Cancel and submit buttons of a form in a dialog. */
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
