import { createListeners } from './create-listeners.ts'

/** With `href` it is a link, whose click calls `run` instead of loading the page. */
export interface ToastAction {
  label: string
  run: () => void
  href?: string
}

export interface ToastMessage {
  id: number
  text: string
  tone: 'plain' | 'success' | 'danger'
  actions: readonly ToastAction[]
}

interface ToastOptions {
  tone?: ToastMessage['tone']
  action?: ToastAction | readonly ToastAction[] | null
}

let messages: readonly ToastMessage[] = []
let lastId = 0
const { subscribe, notify } = createListeners()

export { subscribe as subscribeToToasts }

/** Returns the toasts that are shown. */
export function getToasts(): readonly ToastMessage[] {
  return messages
}

function setMessages(next: readonly ToastMessage[]): void {
  messages = next
  notify()
}

/** Dismisses a toast before its time. */
export function dismissToast(id: number): void {
  setMessages(messages.filter((message) => message.id !== id))
}

/** Dismisses all toasts, for example those of a user who logged out. */
export function dismissToasts(): void {
  setMessages([])
}

/**
 * Shows a short message for 6 seconds, or 10 with an action, and as long as it is hovered or focused.
 * @returns the id, for `dismissToast`.
 */
export function toast(text: string, { tone = 'plain', action = null }: ToastOptions = {}): number {
  const id = ++lastId
  const actions = [action ?? []].flat()
  setMessages([...messages.slice(-2), { id, text, tone, actions }])
  dismissAfter(id, actions.length > 0 ? 10_000 : 6_000)
  return id
}

/** Says that something that was asked for could not be loaded. */
export function toastLoadingFailure(action: ToastAction | null = null): void {
  toast("Couldn't load this. Check your connection and try again.", { tone: 'danger', action })
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

/** Names the element with the toasts. */
export function setToastRegion(element: HTMLElement | null): void {
  region = element
}

export const pendingToastKey = 'toast'

/** Shows a toast on the next page that is loaded, for actions that leave the current page. */
export function toastOnNextPage(text: string): void {
  try {
    sessionStorage.setItem(pendingToastKey, text)
  } catch {
    // Without storage the toast is not shown.
  }
}
