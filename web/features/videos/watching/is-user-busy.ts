/** Returns whether the user is typing or a dialog is open. Then nothing continues by itself. */
export function isUserBusy(): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    document.activeElement?.matches('input, textarea, select, [contenteditable]') === true
  )
}
