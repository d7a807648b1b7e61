import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { useSession } from './session.ts'

/** Returns the access with which what the viewer creates starts: the one that they chose for new bookmarks. */
export function useDefaultAccess(): BookmarkAccess {
  return useSession().user?.profile.default_bookmark_access ?? 'public'
}
