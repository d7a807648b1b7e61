/** Collects into a destination without a form, with a way back. */
import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { collectBookmark } from '@reelmark/contract/collect.ts'
import { deleteCollection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { useRouter } from '@tanstack/react-router'
import { api } from '../../../shared/api/api.ts'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { getSession } from '../../../shared/session/session-store.ts'
import { toast } from '../../../ui/toast.tsx'
import { ownCollectionsQuery } from '../add-bookmark/queries.ts'
import {
  isSameDestination,
  type NamedDestination,
  namedDestinations,
  storeLastDestination,
  suggestDestination,
} from '../destination/destination.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { collectedText } from './collected-text.ts'
import { existingBookmarkId } from './use-collect.ts'

type Router = ReturnType<typeof useRouter>

interface CollectOptions {
  /** Undefined: the server decides by the user's default. */
  access?: BookmarkAccess | undefined
  /** True: the collection was created for this bookmark. Undo deletes it, unless it has other bookmarks by then. */
  isNewCollection?: boolean
}

/**
 * Collects a bookmark into a destination, and offers to undo it.
 * @throws CallError
 */
export async function collectInto(
  bookmarkId: number,
  { collection, channel, name }: Omit<NamedDestination, 'isPrivate'>,
  client: QueryClient,
  { access, isNewCollection = false }: CollectOptions = {},
): Promise<void> {
  const body = { bookmark: bookmarkId, collection, channel, ...(access !== undefined && { access }) }
  const created = await api(collectBookmark, { body })
  storeLastDestination({ collection, channel })
  invalidateBookmarks(client)
  toast(collectedText(created, name), {
    tone: 'success',
    action: {
      label: 'Undo',
      run: () => void removeCollected(created.id, name, client, isNewCollection ? collection : null),
    },
  })
}

/**
 * Moves the viewer's bookmark of a video to the trash, from where it can be restored.
 * @param newCollection the collection to delete if it is empty then; null: none.
 */
export async function removeCollected(
  id: number,
  name: string,
  client: QueryClient,
  newCollection: number | null = null,
): Promise<void> {
  try {
    await api(trashBookmark, { params: { id } })
    const isDeleted = newCollection !== null && (await deleteIfEmpty(newCollection))
    invalidateBookmarks(client, [id])
    toast(`Removed from ${name}${isDeleted ? ', which was deleted' : ''}. It's in the trash for 30 days.`)
  } catch {
    toast("Couldn't remove it. Try again.", { tone: 'danger' })
  }
}

async function deleteIfEmpty(collection: number): Promise<boolean> {
  try {
    // Without a choice of what happens to its bookmarks, the server refuses to delete a collection that has any.
    await api(deleteCollection, { params: { id: collection }, query: {} })
    return true
  } catch {
    return false
  }
}

/**
 * Collects a bookmark where the viewer would most likely collect it. If it is there already, it says so.
 * @throws CallError
 */
export async function collectAtOnce(bookmarkId: number, client: QueryClient, router: Router): Promise<void> {
  const list = await client.fetchQuery(ownCollectionsQuery)
  const preferred = getSession().user?.profile.default_bookmark_collection ?? null
  const suggested = suggestDestination(list, { preferred })
  const all = namedDestinations(list)
  const target = all.find((item) => isSameDestination(item, suggested)) ?? all[0]
  if (target === undefined) return
  try {
    await collectInto(bookmarkId, target, client)
  } catch (error) {
    if (!isApiError(error, 'already-saved')) throw error
    const path = `/bookmarks/${existingBookmarkId(error) ?? bookmarkId}`
    toast(`It's already in ${target.name}.`, {
      action: { label: 'View Bookmark', href: path, run: () => router.history.push(path) },
    })
  }
}
