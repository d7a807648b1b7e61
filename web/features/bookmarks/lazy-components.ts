/** Components that are loaded when they are first shown. */

export const loadSaveSheet = () => import('./save-sheet/save-sheet.tsx').then((module) => module.SaveSheet)
export const loadSavedCard = () => import('./save-sheet/saved-card.tsx').then((module) => module.SavedCard)
