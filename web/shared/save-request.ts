/** Asks the save sheet to open. The sheet is loaded after the page is shown; until then links lead to the add page. */
import type { MouseEvent } from 'react'

type Opener = (link: string | null) => void

let opener: Opener | null = null

/** Registers the function that opens the sheet; null removes it. */
export function setSaveSheetOpener(next: Opener | null): void {
  opener = next
}

/**
 * Opens the save sheet.
 * @param link what to save; null: the user enters it.
 * @returns false if no sheet can be opened: the user is a visitor, or its code is not loaded.
 */
export function requestSave(link: string | null): boolean {
  opener?.(link)
  return opener !== null
}

/** Opens the save sheet instead of following a link to the add page. With a modifier key, the browser follows the link. */
export function openSaveSheet(event: MouseEvent): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (requestSave(null)) event.preventDefault()
}
