/** Adds the dialog methods that jsdom lacks: opening focuses the content, closing restores the focus. */
export function fakeDialogs(): void {
  const focusedBefore = new WeakMap<HTMLDialogElement, Element | null>()
  HTMLDialogElement.prototype.showModal = function () {
    focusedBefore.set(this, document.activeElement)
    this.setAttribute('open', '')
    this.querySelector<HTMLElement>('button, input')?.focus()
  }
  HTMLDialogElement.prototype.close = function () {
    this.removeAttribute('open')
    const before = focusedBefore.get(this)
    if (before instanceof HTMLElement) before.focus()
    this.dispatchEvent(new Event('close'))
  }
}

/** Simulates Escape in an open dialog. */
export function pressEscape(dialog: HTMLElement): void {
  const isUnprevented = dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  if (isUnprevented && dialog instanceof HTMLDialogElement) dialog.close()
}
