import { createMute, deleteMute, listMutes } from '@reelmark/contract/mutes.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { normaliseTag } from '../../../shared/tag-names.ts'
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
        return queries.createMute(tx, viewer.id, {
          user_id: user_id ?? null,
          tag: tag === undefined ? null : normaliseMutedTag(tag),
        })
      })
      if (created !== null) return created
      if (user_id === undefined || (await queries.userExists(db, user_id)))
        throw new ApiError('limit-reached')
      throw new InvalidFields({ user_id: [`Invalid pk "${user_id}" - object does not exist.`] })
    },
    { limit: 'mute' },
  )

  mount(app, listMutes, async ({ input, viewer }) => {
    const { tag } = input.query
    const named = tag === undefined ? null : normaliseMutedTag(tag)
    const { count, results } = await queries.listMutes(db, viewer.id, offsetOf(input.query), named)
    return pageReply(listMutes, input, count, results)
  })

  mount(app, deleteMute, async ({ input, viewer }) => {
    if (!(await queries.deleteMute(db, viewer.id, input.params.id))) throw new ApiError('not-found')
    return null
  })
}

/** Normalises a tag as for bookmarks. @throws InvalidFields if it is too long in lower case */
function normaliseMutedTag(text: string): string {
  const tag = normaliseTag(text)
  if ([...tag].length <= limits.tagMax) return tag
  throw new InvalidFields({ tag: [`Must be ${limits.tagMax} characters or fewer.`] })
}
