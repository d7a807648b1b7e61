/** Components and actions that are loaded when they are first needed. */

export const loadSaveSheet = () => import('./save-sheet/save-sheet.tsx').then((module) => module.SaveSheet)
export const loadSavedCard = () => import('./save-sheet/saved-card.tsx').then((module) => module.SavedCard)
export const loadShareBookmark = () => import('./share-bookmark.ts').then((module) => module.shareBookmark)
