import { bulkUpdateBookmarks, undoBookmarkChanges } from '@reelmark/contract/bookmark-changes.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import type { Sql, TransactionSql } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { normaliseTags } from '../../../shared/tag-names.ts'
import { lockOwnDestination, unknownDestinationError } from '../../collections/public-api.ts'
import { currentRules } from '../../moderation/public-api.ts'
import { requireUnheldTags } from '../screen-tags.ts'
import { type BulkUpdate, bulkUpdateOwnBookmarks } from './bulk-queries.ts'

const bulkLimit = { limit: 'bulk' } as const

export function registerBulkUpdates(app: FastifyInstance): void {
  const { db } = app.deps

  mount(
    app,
    bulkUpdateBookmarks,
    async ({ input: { body }, viewer }) => {
      await screenTags(db, body)
      return bulkUpdateOwnBookmarks(db, viewer.id, [...new Set(body.ids)], (tx) =>
        resolveBulkUpdate(tx, viewer.id, body),
      )
    },
    bulkLimit,
  )

  mount(
    app,
    undoBookmarkChanges,
    ({ input: { body }, viewer }) => {
      // If one is named twice, the first entry wins.
      const before = [...new Map(body.bookmarks.toReversed().map((state) => [state.id, state])).values()]
      return bulkUpdateOwnBookmarks(
        db,
        viewer.id,
        before.map(({ id }) => id),
        () => ({ action: 'undo', before }),
      )
    },
    bulkLimit,
  )
}

async function screenTags(
  db: Sql,
  { action, tags }: Input<typeof bulkUpdateBookmarks>['body'],
): Promise<void> {
  if (action === 'tag') requireUnheldTags(await currentRules(db), 'tags', normaliseTags(tags ?? []))
}

/** Validates a bulk update and locks its destination. @throws InvalidFields if a field is missing or not the user's own. */
async function resolveBulkUpdate(
  tx: TransactionSql,
  userId: number,
  { action, collection_id, channel_id, tags, access }: Input<typeof bulkUpdateBookmarks>['body'],
): Promise<BulkUpdate> {
  const required = (field: string) => new InvalidFields({ [field]: ['This field is required.'] })
  switch (action) {
    case 'move': {
      if (collection_id === undefined && (channel_id ?? null) === null) throw required('collection_id')
      const destination = await lockOwnDestination(tx, userId, {
        collection_id: collection_id ?? null,
        channel_id,
      })
      if (destination === null) throw unknownDestinationError({ collection_id, channel_id })
      return { action, destination }
    }
    case 'tag':
    case 'untag': {
      const normalised = normaliseTags(tags ?? [])
      if (normalised.length === 0) throw required('tags')
      return { action, tags: normalised }
    }
    case 'access':
      if (access === undefined) throw required('access')
      return { action, access }
    case 'trash':
    case 'restore':
    case 'remove':
      return { action }
  }
}
