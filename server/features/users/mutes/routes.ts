import { createMute, deleteMute, listMutes } from '@reelmark/contract/mutes.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { parseTag } from '../../../shared/tag-names.ts'
import * as queries from './queries.ts'

export function registerMutes(app: FastifyInstance): void {
  const { db } = app.deps

  mount(
    app,
    createMute,
    async ({ input: { body }, viewer }) => {
      const { user_id, tag } = body
      if ((user_id === undefined) === (tag === undefined)) {
        throw new InvalidFields({ non_field_errors: ['Name a user_id or a tag.'] })
      }
      if (user_id === viewer.id) throw new InvalidFields({ user_id: ["You can't mute yourself."] })
      const created = await db.begin(async (tx) => {
        await queries.lockUser(tx, viewer.id)
        return queries.createMute(tx, viewer, {
          user_id: user_id ?? null,
          tag: tag === undefined ? null : parseTag(tag),
        })
      })
      if (created !== null) return created
      if (user_id === undefined || (await queries.isKnownUser(db, viewer, user_id)))
        throw new ApiError('limit-reached')
      throw new InvalidFields({ user_id: [`Invalid pk "${user_id}" - object does not exist.`] })
    },
    { limit: 'mute' },
  )

  mount(app, listMutes, async ({ input, viewer }) => {
    const { tag } = input.query
    const named = tag === undefined ? null : parseTag(tag)
    const { count, results } = await queries.listMutes(db, viewer.id, offsetOf(input.query), named)
    return pageReply(listMutes, input, count, results)
  })

  mount(app, deleteMute, async ({ input, viewer }) => {
    if (!(await queries.deleteMute(db, viewer.id, input.params.id))) throw new ApiError('not-found')
    return null
  })
}
