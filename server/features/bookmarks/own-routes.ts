/** What people do with bookmarks of their own: change, trash and restore them, one or many at once. */
import type { Input } from '@reelmark/contract/endpoint.ts'
import {
  changeBookmarks,
  emptyTrash,
  listTrash,
  putBackBookmarks,
  restoreBookmark,
  trashBookmark,
  updateBookmark,
} from '@reelmark/contract/own-bookmarks.ts'
import type { FastifyInstance } from 'fastify'
import type { Sql, TransactionSql } from '../../core/database.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { lockOwnPlace, noSuch } from '../collections/cards.ts'
import { currentRules, screen } from '../screening/cards.ts'
import { answerBookmark, embedKey } from './answer.ts'
import * as changing from './changing.ts'
import { sentFacts } from './facts.ts'
import { fetchThumbnail } from './jobs.ts'
import { ownHosts, tidyTags } from './rules.ts'
import * as trash from './trash.ts'

const inBulk = { limit: 'bulk' } as const

export function registerOwnBookmarks(app: FastifyInstance): void {
  const { deps } = app
  const { db, settings } = deps

  mount(app, updateBookmark, async ({ input: { params, body }, viewer }) => {
    await embedKey(deps)
    const { tags, embed_url, thumbnail_url, shape, duration, width, height, ...rest } = body
    const sent = { embed_url, thumbnail_url, shape, duration, width, height }
    const facts = sentFacts(sent, ownHosts(settings.publicUrl))
    const metadata = { ...rest, ...facts, ...(tags === undefined ? {} : { tags: tidyTags(tags) }) }
    const hold_reason = screen(await currentRules(db), [
      { field: 'title', text: metadata.title },
      { field: 'description', text: metadata.description },
      { field: 'tags', tags: metadata.tags },
      { field: 'embed_url', link: metadata.embed_url },
    ])
    const changes = { ...metadata, ...(hold_reason === null ? {} : { hold_reason }) }
    return db.begin(async (tx) => {
      const wantsPicture = await changing.updateBookmark(tx, viewer, params.id, changes)
      if (wantsPicture) await deps.jobs.send(tx, fetchThumbnail, { bookmark_id: params.id })
      return answerBookmark(deps, tx, params.id, viewer)
    })
  })

  mount(app, trashBookmark, async ({ input: { params }, viewer }) => {
    const { failed } = await changeAll(viewer.id, [params.id], async () => ({ action: 'trash' }))
    if (failed.length > 0) throw await changing.whyNot(db, viewer, params.id)
    return null
  })

  mount(app, restoreBookmark, async ({ input: { params }, viewer }) => {
    const outcome = await changeAll(viewer.id, [params.id], async () => ({ action: 'restore' }))
    const [problem] = outcome.failed
    if (problem?.reason === 'already-saved') {
      throw new ApiError('already-saved', { bookmark_id: problem.bookmark_id })
    }
    if (problem !== undefined) throw new ApiError('not-found')
    return answerBookmark(deps, db, params.id, viewer)
  })

  mount(app, listTrash, async ({ input, viewer }) => {
    const { count, results } = await trash.listTrash(db, viewer.id, rangeOf(input.query))
    return answerPage(listTrash, input, count, results)
  })

  mount(app, emptyTrash, ({ viewer }) => trash.emptyTrash(db, viewer.id), inBulk)

  mount(
    app,
    changeBookmarks,
    async ({ input: { body }, viewer }) => {
      await screenTags(db, body)
      return changeAll(viewer.id, [...new Set(body.ids)], (tx) => plan(tx, viewer.id, body))
    },
    inBulk,
  )

  mount(
    app,
    putBackBookmarks,
    ({ input: { body }, viewer }) => {
      // Of one that is named twice the first counts.
      const before = [...new Map(body.bookmarks.toReversed().map((each) => [each.id, each])).values()]
      return changeAll(
        viewer.id,
        before.map(({ id }) => id),
        async () => ({ action: 'put-back', before }),
      )
    },
    inBulk,
  )

  function changeAll(
    userId: number,
    ids: number[],
    planned: (tx: TransactionSql) => Promise<changing.BulkChange>,
  ) {
    return db.begin(async (tx) => {
      await changing.lockOwnBookmarks(tx, userId, ids)
      return changing.changeBookmarks(tx, userId, ids, await planned(tx))
    })
  }
}

/** @throws InvalidFields for a tag that a rule refuses, or that has what bears it wait: that is done one by one. */
async function screenTags(db: Sql, { action, tags }: Input<typeof changeBookmarks>['body']): Promise<void> {
  if (action !== 'tag') return
  const held = screen(await currentRules(db), [{ field: 'tags', tags: tidyTags(tags ?? []) }])
  if (held === null) return
  throw new InvalidFields({
    tags: ['Moderators look at what bears this tag first. Add it to one bookmark at a time.'],
  })
}

/** @throws InvalidFields where what the action needs is missing or not one's own. */
async function plan(
  tx: TransactionSql,
  userId: number,
  { action, collection_id, channel_id, tags, access }: Input<typeof changeBookmarks>['body'],
): Promise<changing.BulkChange> {
  const required = (field: string) => new InvalidFields({ [field]: ['This field is required.'] })
  switch (action) {
    case 'move': {
      if (collection_id === undefined && (channel_id ?? null) === null) throw required('collection_id')
      const place = await lockOwnPlace(tx, userId, { collection_id: collection_id ?? null, channel_id })
      if (place !== null) return { action, place }
      throw new InvalidFields(
        (channel_id ?? null) === null
          ? { collection_id: [noSuch(collection_id)] }
          : { channel_id: [noSuch(channel_id)] },
      )
    }
    case 'tag':
    case 'untag': {
      const tidy = tidyTags(tags ?? [])
      if (tidy.length === 0) throw required('tags')
      return { action, tags: tidy }
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
