import X from 'lucide-react/icons/x'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import {
  dismissToast,
  getToasts,
  pendingToastKey,
  setToastRegion,
  subscribeToToasts,
  type ToastAction,
  type ToastMessage,
  toast,
} from './toast.tsx'

function showPendingToast(): void {
  try {
    const text = sessionStorage.getItem(pendingToastKey)
    sessionStorage.removeItem(pendingToastKey)
    if (text !== null) toast(text, { tone: 'success' })
  } catch {
    // The browser blocks storage, so no toast was stored.
  }
}

const noMessages: readonly ToastMessage[] = []

const edgeClasses: Record<ToastMessage['tone'], string> = {
  plain: 'before:bg-accent',
  success: 'before:bg-success',
  danger: 'before:bg-danger',
}

/** Shows the toasts. Rendered once, at the end of the page, after it is shown. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribeToToasts, getToasts, () => noMessages)
  useEffect(showPendingToast, [])
  const region = useRef<HTMLElement>(null)
  const focusedBefore = useRef<EventTarget | null>(null)
  useEffect(() => {
    setToastRegion(region.current)
    return () => setToastRegion(null)
  }, [])
  useEffect(() => {
    const element = region.current
    // jsdom does not implement popovers.
    if (element?.showPopover === undefined) return
    if (shown.length === 0) element.popover = null
    else if (document.querySelector('dialog[open]') !== null) {
      // Reopened as a popover, to lie above a dialog that opened earlier.
      element.popover = 'manual'
      element.hidePopover()
      element.showPopover()
    }
  }, [shown])
  /** Dismisses a toast whose button was pressed, which may have the focus. */
  function dismiss(id: number): void {
    if (region.current?.contains(document.activeElement)) returnFocus(focusedBefore.current)
    dismissToast(id)
  }

  return (
    <section
      ref={region}
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-auto bottom-(--above-bar) z-50 m-0 flex w-auto flex-col items-center gap-2 overflow-visible border-0 bg-transparent p-4 text-ink sm:items-end sm:p-6"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) focusedBefore.current = relatedTarget
      }}
    >
      {shown.map((message) => (
        <div
          key={message.id}
          className={`pointer-events-auto relative flex w-full max-w-100 items-center gap-2 overflow-hidden rounded-card border border-line bg-raised py-2 pr-2 pl-5 text-14 before:absolute before:inset-y-0 before:left-0 before:w-1 ${edgeClasses[message.tone]}`}
        >
          <p className="min-w-0 flex-1 py-1.5">{message.text}</p>
          {message.actions.map((action) => (
            <ToastButton key={action.label} {...action} onDone={() => dismiss(message.id)} />
          ))}
          <IconButton label="Dismiss" size="sm" onClick={() => dismiss(message.id)}>
            <X className="size-4" />
          </IconButton>
        </div>
      ))}
    </section>
  )
}

/** Moves the focus to where it was, or else to the content of the page, because what had it may have been removed. */
function returnFocus(before: EventTarget | null): void {
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  if (document.activeElement !== before) document.querySelector('main')?.focus({ preventScroll: true })
}

const actionClass =
  'inline-flex h-10 shrink-0 items-center rounded-control px-3 font-medium text-accent-ink hover:bg-hover pointer-coarse:h-11'

function ToastButton({ label, run, href, onDone }: ToastAction & { onDone: () => void }) {
  if (href === undefined) {
    return (
      <button
        type="button"
        className={actionClass}
        onClick={() => {
          run()
          onDone()
        }}
      >
        {label}
      </button>
    )
  }
  return (
    <a
      href={href}
      className={actionClass}
      onClick={(event) => {
        // With a modifier key, the browser opens the link in a new tab or window.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        run()
        onDone()
      }}
    >
      {label}
    </a>
  )
}
