import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'

/** Returns what the access of a smart collection means. */
export function accessHint(access: BookmarkAccess, isPersonal: boolean): string {
  if (isPersonal) {
    return 'Only you can see this, because the search depends on what only you know, such as watched videos, notes or private bookmarks.'
  }
  return access === 'private'
    ? 'Only you can see this smart collection.'
    : 'Anyone can open this smart collection and sees the public bookmarks it finds, but not the search.'
}
