/** The trash as a list with the filters of all lists. What changes it is in features/bookmarks/trash. */
import { listTrash, type TrashItem } from '@reelmark/contract/bookmark-changes.ts'
import type { ListingPage } from '@reelmark/contract/listing.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { mount } from '../../core/http/endpoints.ts'
import { listingReply } from './routes.ts'

export function registerTrashList(app: FastifyInstance): void {
  mount(app, listTrash, ({ input: { query }, viewer, readDb }) => readTrash(readDb, query, viewer))
}

type TrashPage = Omit<ListingPage, 'results'> & { results: TrashItem[] }

/** Returns a page of a user's trash. */
export async function readTrash(
  db: Db,
  query: Input<typeof listTrash>['query'],
  viewer: Viewer,
): Promise<TrashPage> {
  const list = { endpoint: listTrash, isTrash: true, extraColumns: trashColumns(db) }
  const page = await listingReply(db, query, viewer, list)
  return { ...page, results: page.results as TrashItem[] }
}

/** The columns that `TrashItem` adds to a card. */
function trashColumns(db: Db): Fragment {
  return db`,
    (select json_build_object('id', c.id, 'name', c.name) from collections c where c.id = b.collection_id) as collection,
    (select json_build_object('id', ch.id, 'name', ch.name) from channels ch where ch.id = b.channel_id) as channel,
    b.deleted_at, greatest(0, ceil(extract(epoch from
      b.deleted_at + make_interval(days => ${limits.trashRetentionDays}) - now()) / 86400))::int as days_left`
}
