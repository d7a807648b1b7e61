/** What other areas may import from `bookmarks`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { savesByUrlQuery } from './add-bookmark/queries.ts'
export { bookmarkTitle } from './bookmark-title.ts'
export { EditSelectedBookmark } from './bulk-edit/bulk-dialogs.tsx'
export { MoveDialog } from './bulk-edit/move-dialog.tsx'
export { PartialFailureDialog } from './bulk-edit/partial-failure-dialog.tsx'
export type { SelectedItems } from './bulk-edit/selection.ts'
export {
  LazyBulkEditor,
  SelectButton,
  type SelectionMode,
  useSelectionMode,
} from './bulk-edit/selection-mode.tsx'
export { type PartialFailure, useBulkChange } from './bulk-edit/use-bulk-change.ts'
export { CollectDialog } from './collect/collect-dialog.tsx'
export { CollectForm } from './collect/collect-form.tsx'
export { collectAtOnce } from './collect/collect-into.ts'
export { useCollectRequest } from './collect/use-collect.ts'
export { type Destination, destinationName, matchByName, noDestination } from './destination/destination.ts'
export { DestinationFields } from './destination/destination-fields.tsx'
export { useOwnCollections } from './destination/use-own-collections.ts'
export { EmbedUrlField } from './embed-url-field.tsx'
export { hasFixedPlayer } from './has-fixed-player.ts'
export { invalidateBookmarks } from './invalidate-bookmarks.ts'
export { loadSavedCard, loadSaveSheet, loadShareBookmark } from './lazy-components.ts'
export { bookmarkQuery } from './queries.ts'
export { ProposedLink } from './replace-link/proposed-link.tsx'
export { enterManually, enterManyLinks } from './save-sheet/enter-links.ts'
export { shareBookmark } from './share-bookmark.ts'
export { TagsInput } from './tags/tags-input.tsx'
export {
  type PictureChoice,
  pictureErrors,
  pictureLinkInput,
  samePicture,
} from './thumbnail/picture-choice.ts'
export { PictureField } from './thumbnail/picture-field.tsx'
export { useTrashBookmark } from './trash/use-trash-bookmark.ts'
export { parseDuration } from './update/duration-text.ts'
export { EditBookmarkDialog } from './update/edit-bookmark-dialog.tsx'
