import * as limits from '@reelmark/contract/protocol/limits.ts'
import { changeTags, listOwnTags, listTagChanges, listTags, undoTagChange } from '@reelmark/contract/tags.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { normaliseTag } from '../../../shared/tag-names.ts'
import { currentRules } from '../../moderation/public-api.ts'
import { requireUnheldTags } from '../screen-tags.ts'
import * as queries from './queries.ts'
import * as changes from './tag-change-queries.ts'

const changeLimit = { limit: 'bulk' } as const

export function registerTags(app: FastifyInstance): void {
  const { db, jobs } = app.deps
  mount(app, listTags, async ({ input, readDb, viewer }) => {
    const found = await queries.listTags(readDb, {
      prefix: input.query.q ?? '',
      sfwOnly: input.query.orientation === 'sfw',
      viewerId: viewer?.id ?? null,
      ...offsetOf(input.query),
    })
    const page = pageReply(listTags, input, found.count, found.results)
    return found.own === null ? page : { ...page, own: found.own }
  })

  mount(app, listOwnTags, async ({ input, readDb, viewer }) => {
    const { count, results } = await queries.listOwnTags(readDb, viewer.id, {
      part: input.query.q ?? '',
      sort: input.query.sort ?? 'name',
      ...offsetOf(input.query),
    })
    return pageReply(listOwnTags, input, count, results)
  })

  mount(
    app,
    changeTags,
    async ({ input: { body }, viewer, tx }) => {
      const change = parseTagChange(body)
      if (change.replacement !== null) {
        requireUnheldTags(await currentRules(db, tx), 'replacement', [change.replacement])
      }
      const changed = await changes.changeTags(tx, viewer.id, change, jobs)
      if (changed === null) throw new InvalidFields({ tags: ['None of your bookmarks has this tag.'] })
      return changed
    },
    changeLimit,
  )

  mount(app, listTagChanges, async ({ input, readDb, viewer }) => {
    const { count, results } = await changes.listTagChanges(readDb, viewer.id, offsetOf(input.query))
    return pageReply(listTagChanges, input, count, results)
  })

  mount(
    app,
    undoTagChange,
    async ({ input: { params }, viewer }) => {
      // A rule may have been made since.
      const tags = await changes.findReplacedTags(db, viewer.id, params.id)
      requireUnheldTags(await currentRules(db), 'tags', tags)
      const change = await db.begin((tx) => changes.undoTagChange(tx, viewer.id, params.id, jobs))
      if (change === null) throw new ApiError('not-found')
      return change
    },
    changeLimit,
  )
}

/** Returns a change with tags as they are stored. @throws InvalidFields for a change that has no effect */
function parseTagChange(body: { tags: string[]; replacement: string | null }): {
  tags: string[]
  replacement: string | null
} {
  const replacement = body.replacement === null ? null : normaliseTag(body.replacement)
  if (replacement !== null && (replacement === '' || [...replacement].length > limits.tagMax)) {
    throw new InvalidFields({ replacement: [`Enter a tag of 1 to ${limits.tagMax} characters.`] })
  }
  if (replacement?.includes(',')) {
    throw new InvalidFields({ replacement: ["A tag can't contain a comma."] })
  }
  const tags = [...new Set(body.tags.map(normaliseTag))].filter((tag) => tag !== replacement && tag !== '')
  if (tags.length === 0) throw new InvalidFields({ replacement: ['This is already the name of the tag.'] })
  return { tags, replacement }
}
