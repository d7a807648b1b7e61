/** jsdom has the element but not what it can do: opening gives its content the focus, closing gives it back. */
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

/** What a browser does with Escape in an open dialog. */
export function pressEscape(dialog: HTMLElement): void {
  const went = dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  if (went && dialog instanceof HTMLDialogElement) dialog.close()
}
