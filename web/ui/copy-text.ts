/**
 * Puts a text on the clipboard. A page that came over plain HTTP has no clipboard of its own; there the old way works.
 * @param container what was pressed; it keeps the focus.
 * @returns whether it is there.
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
    // Inside an open dialog everything else is inert, and cannot be selected.
    container.after(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    container.focus()
    return done
  }
}
