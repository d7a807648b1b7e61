import { reorderBookmark } from '@reelmark/contract/bookmark-order.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import type { OrderedList } from '../../../shared/order-keys.ts'
import { type ReorderTarget, reorderBookmark as reorder } from './reorder-queries.ts'

type ReorderInput = Input<typeof reorderBookmark>['body']

export function registerBookmarkOrder(app: FastifyInstance): void {
  const { db } = app.deps
  mount(
    app,
    reorderBookmark,
    ({ input: { params, body }, viewer }) =>
      reorder(db, viewer.id, readList(body), params.id, readTarget(body)),
    {
      changes: ({ input: { body } }) => {
        const { kind, id } = readList(body)
        return [`${kind}:${id}`]
      },
    },
  )
}

function readList({ collection, channel }: ReorderInput): OrderedList {
  if (collection !== undefined && channel === undefined) return { kind: 'collection', id: collection }
  if (channel !== undefined && collection === undefined) return { kind: 'channel', id: channel }
  throw new InvalidFields({ collection: ['Either a collection or a channel is required.'] })
}

function readTarget({ after, position }: ReorderInput): ReorderTarget {
  if (after !== undefined && position === undefined) return { after }
  if (position !== undefined && after === undefined) return { position }
  throw new InvalidFields({ after: ['Either a bookmark or a position is required.'] })
}
