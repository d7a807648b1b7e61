import type { Bookmark, SaveInput, saveBookmark, saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import type { SendWrite } from '../../../shared/api/use-api-mutation.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { storeLastDestination } from '../destination/destination.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { saveFailureFrom } from './save-failure.ts'
import { type FieldErrors, saveFields } from './save-values.ts'

interface SaveRequest {
  body: SaveInput
  collection: number | null
}

/** Returns a function that saves a bookmark, remembers its destination and invalidates cached bookmarks. */
export function useSaveCall(
  endpoint: typeof saveBookmark | typeof saveBookmarkManually,
): SendWrite<SaveRequest, Bookmark> {
  const client = useQueryClient()
  return async ({ body, collection }, options) => {
    const bookmark = await api(endpoint, { body }, options)
    storeLastDestination({ collection, channel: body.bookmark.channel_id ?? null })
    invalidateBookmarks(client)
    return bookmark
  }
}

interface SaveFormOptions {
  validate?: () => FieldErrors
  toInput: () => SaveRequest
  onSuccess: (bookmark: Bookmark) => void
}

/** Connects a form that saves a bookmark. Its fields are controlled, because the preview shows each change. */
export function useSaveForm(
  endpoint: typeof saveBookmark | typeof saveBookmarkManually,
  { validate = () => ({}), toInput, onSuccess }: SaveFormOptions,
) {
  const form = useApiForm(useSaveCall(endpoint), {
    fields: saveFields,
    validate,
    toInput,
    onSuccess,
    toErrors: saveFailureFrom,
  })
  return { ...form, failure: form.error === null ? null : saveFailureFrom(form.error) }
}
