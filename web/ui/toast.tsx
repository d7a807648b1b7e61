import X from 'lucide-react/icons/x'
import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import { createListeners } from './create-listeners.ts'

export interface ToastMessage {
  id: number
  text: string
  tone: 'plain' | 'success' | 'danger'
  /** With `href` it is a link, whose click calls `run` instead of loading the page. */
  action: { label: string; run: () => void; href?: string } | null
}

let messages: readonly ToastMessage[] = []
let lastId = 0
const { subscribe, notify } = createListeners()

function setMessages(next: readonly ToastMessage[]): void {
  messages = next
  notify()
}

/** Dismisses a toast before its time. */
export function dismissToast(id: number): void {
  setMessages(messages.filter((message) => message.id !== id))
}

/**
 * Shows a short message for 6 seconds, or 10 with an action, and as long as it is hovered or focused.
 * @returns the id, for `dismissToast`.
 */
export function toast(
  text: string,
  { tone = 'plain', action = null }: { tone?: ToastMessage['tone']; action?: ToastMessage['action'] } = {},
): number {
  const id = ++lastId
  setMessages([...messages.slice(-2), { id, text, tone, action }])
  dismissAfter(id, action === null ? 6_000 : 10_000)
  return id
}

/** The element with the toasts, while the Toaster is mounted. */
let region: HTMLElement | null = null

/** Dismisses a toast after `ms` milliseconds, or later while the pointer or focus is on the toasts. */
function dismissAfter(id: number, ms: number): void {
  setTimeout(() => {
    if (region?.matches(':hover, :focus-within')) dismissAfter(id, 2_000)
    else dismissToast(id)
  }, ms)
}

function setRegion(element: HTMLElement | null): void {
  region = element
}

const pendingToastKey = 'toast'

/** Shows a toast on the next page that is loaded, for actions that leave the current page. */
export function toastOnNextPage(text: string): void {
  try {
    sessionStorage.setItem(pendingToastKey, text)
  } catch {
    // Without storage the toast is not shown.
  }
}

function showPendingToast(): void {
  try {
    const text = sessionStorage.getItem(pendingToastKey)
    sessionStorage.removeItem(pendingToastKey)
    if (text !== null) toast(text, { tone: 'success' })
  } catch {
    // See above.
  }
}

const noMessages: readonly ToastMessage[] = []

const edgeClasses: Record<ToastMessage['tone'], string> = {
  plain: 'before:bg-accent',
  success: 'before:bg-success',
  danger: 'before:bg-danger',
}

/** Shows the toasts. Rendered once, at the end of the page. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => messages,
    () => noMessages,
  )
  useEffect(showPendingToast, [])
  useEffect(() => {
    // jsdom does not implement popovers.
    if (region?.showPopover === undefined) return
    if (shown.length === 0) region.popover = null
    else if (document.querySelector('dialog[open]') !== null) {
      // Reopened as a popover, to lie above a dialog that opened earlier.
      region.popover = 'manual'
      region.hidePopover()
      region.showPopover()
    }
  }, [shown])
  return (
    <section
      ref={setRegion}
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-auto bottom-(--above-bar) z-50 m-0 flex w-auto flex-col items-center gap-2 overflow-visible border-0 bg-transparent p-4 text-ink sm:items-end sm:p-6"
    >
      {shown.map((message) => (
        <div
          key={message.id}
          className={`pointer-events-auto relative flex w-full max-w-100 items-center gap-2 overflow-hidden rounded-card border border-line bg-raised py-2 pr-2 pl-5 text-14 before:absolute before:inset-y-0 before:left-0 before:w-1 ${edgeClasses[message.tone]}`}
        >
          <p className="min-w-0 flex-1 py-1.5">{message.text}</p>
          {message.action !== null && (
            <ToastAction {...message.action} onDone={() => dismissToast(message.id)} />
          )}
          <IconButton label="Dismiss" size="sm" onClick={() => dismissToast(message.id)}>
            <X className="size-4" />
          </IconButton>
        </div>
      ))}
    </section>
  )
}

const actionClass =
  'inline-flex h-10 shrink-0 items-center rounded-control px-3 font-medium text-accent-ink hover:bg-hover pointer-coarse:h-11'

function ToastAction({
  label,
  run,
  href,
  onDone,
}: NonNullable<ToastMessage['action']> & { onDone: () => void }) {
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
