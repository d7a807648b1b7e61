import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'

/** The labels of the access of a bookmark or collection. */
export const accessLabels: Record<BookmarkAccess, string> = { public: 'Public', private: 'Private' }
