import { accesses, type BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'

const accessLabels: Record<BookmarkAccess, string> = { public: 'Public', private: 'Private' }

/** The options of a select for the access of a bookmark or collection. */
export function AccessOptions() {
  return accesses.map((access) => (
    <option key={access} value={access}>
      {accessLabels[access]}
    </option>
  ))
}
