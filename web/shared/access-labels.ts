import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'

/** The names of the choices of who may see a bookmark or a collection. */
export const accessLabels: Record<BookmarkAccess, string> = { public: 'Public', private: 'Private' }
