/** The items of the parts of an import, and how a report names them. */
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db } from '../../core/database/database.ts'
import type { Deps } from '../../core/deps.ts'
import type { CompiledRules } from '../moderation/public-api.ts'
import type { ImportClaim, ImportKind } from './import-queries.ts'
import type { ItemName, Origin } from './import-report.ts'

type ListKind = Exclude<ImportKind, 'profile'>
type ElementOf<List> = List extends (infer Element)[] ? Element : never

/** An item of a part. Those of other tools know where they are in the upload. */
export type Item<K extends ImportKind> = (K extends 'profile'
  ? TransferFile['profile']
  : ElementOf<NonNullable<TransferFile[K & ListKind]>>) & { origin?: Origin }

export type PartDependencies = Pick<Deps, 'db' | 'jobs' | 'log' | 'settings'> & { rules: CompiledRules }

/** What importing a part needs: its dependencies, the transaction and the import. */
export interface PartContext<Tx extends Db = Db> {
  needs: PartDependencies
  tx: Tx
  claim: ImportClaim
}

const names: { [K in ImportKind]: (item: Item<K>) => ItemName } = {
  collections: ({ name }) => ({ kind: 'collection', what: name, url: '' }),
  profile: () => ({ kind: 'profile', what: 'Profile', url: '' }),
  bookmarks: ({ title, video }) => {
    const { source_url } = video
    return { kind: 'bookmark', what: title || video.title || source_url, url: source_url }
  },
  timed_notes: ({ text, source_url }) => ({ kind: 'timed_note', what: text, url: source_url }),
  likes: ({ source_url }) => ({ kind: 'like', what: source_url, url: source_url }),
  watched: ({ source_url }) => ({ kind: 'history', what: source_url, url: source_url }),
  blocked: ({ username }) => ({ kind: 'block', what: username, url: '' }),
  following: ({ username }) => ({ kind: 'follow', what: username, url: '' }),
  followed_collections: ({ collection, channel }) => ({
    kind: 'followed_collection',
    what: channel ?? collection,
    url: '',
  }),
  followed_tags: ({ tag }) => ({ kind: 'followed_tag', what: tag, url: '' }),
  muted_users: ({ username }) => ({ kind: 'muted_user', what: username, url: '' }),
  muted_tags: ({ tag }) => ({ kind: 'muted_tag', what: tag, url: '' }),
  smart_collections: ({ name }) => ({ kind: 'smart_collection', what: name, url: '' }),
}

/** Returns how a report names an item, and where it is in the upload. `position` is its place among those of its kind, from 0. */
export function nameItem<K extends ImportKind>(kind: K, item: Item<K>, position: number): ItemName & Origin {
  return { ...(item.origin ?? { file: null, row: position + 1 }), ...names[kind](item) }
}
