/** Asks the save sheet to open. The sheet is loaded after the page is shown; until then links lead to the add page. */
import type { MouseEvent } from 'react'

/** Returns false if the page shows the form itself. */
type Opener = (link: string | null) => boolean

let opener: Opener | null = null

/** Registers the function that opens the sheet; null removes it. */
export function setSaveSheetOpener(next: Opener | null): void {
  opener = next
}

/**
 * Opens the save sheet.
 * @param link what to save; null: the user enters it.
 * @returns false if no sheet opens: the user is a visitor, its code is not loaded, or the page shows the form itself.
 */
export function requestSave(link: string | null): boolean {
  return opener?.(link) === true
}

/** Opens the save sheet instead of following a link to the add page. With a modifier key, the browser follows the link. */
export function openSaveSheet(event: MouseEvent): void {
  const opensTab = event.metaKey || event.ctrlKey || event.shiftKey
  if (!opensTab && requestSave(null)) event.preventDefault()
}
