/**
 * Copies a text to the clipboard. Falls back to `execCommand`, because pages served over plain HTTP have no
 * `navigator.clipboard`.
 * @param container the pressed element; it keeps the focus.
 * @returns whether the text was copied.
 */
export async function copyText(text: string, container: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.readOnly = true
    area.className = 'sr-only'
    // Placed beside the pressed element: while a dialog is open, everything outside it is inert.
    container.after(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    container.focus()
    return done
  }
}
