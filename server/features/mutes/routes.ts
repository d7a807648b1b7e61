import { limits } from '@reelmark/contract/limits.ts'
import { listMutes, mute, unmute } from '@reelmark/contract/mutes.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { tidyTag } from '../tags/cards.ts'
import * as queries from './queries.ts'

export function registerMutes(app: FastifyInstance): void {
  const { db } = app.deps

  mount(
    app,
    mute,
    async ({ input: { body }, viewer }) => {
      const { user_id, tag } = body
      if ((user_id === undefined) === (tag === undefined)) {
        throw new InvalidFields({ non_field_errors: ['Name a user_id or a tag.'] })
      }
      if (user_id === viewer.id) throw new InvalidFields({ user_id: ["You can't mute yourself."] })
      const made = await db.begin(async (tx) => {
        await queries.lockMuter(tx, viewer.id)
        return queries.mute(tx, viewer.id, {
          user_id: user_id ?? null,
          tag: tag === undefined ? null : tagOf(tag),
        })
      })
      if (made !== null) return made
      if (user_id === undefined || (await queries.isThere(db, user_id))) throw new ApiError('too-many-there')
      throw new InvalidFields({ user_id: [`Invalid pk "${user_id}" - object does not exist.`] })
    },
    { limit: 'mute' },
  )

  mount(app, listMutes, async ({ input, viewer }) => {
    const { tag } = input.query
    const named = tag === undefined ? null : tagOf(tag)
    const { count, results } = await queries.listMutes(db, viewer.id, rangeOf(input.query), named)
    return answerPage(listMutes, input, count, results)
  })

  mount(app, unmute, async ({ input, viewer }) => {
    if (!(await queries.unmute(db, viewer.id, input.params.id))) throw new ApiError('not-found')
    return null
  })
}

/** As bookmarks have them. @throws InvalidFields where the lower case is longer than a tag may be. */
function tagOf(text: string): string {
  const tag = tidyTag(text)
  if ([...tag].length <= limits.tagMax) return tag
  throw new InvalidFields({ tag: [`Must be ${limits.tagMax} characters or fewer.`] })
}
